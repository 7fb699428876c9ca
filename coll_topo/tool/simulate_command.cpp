// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/tool/command.hpp"
#include "coll_topo/tool/output_file.hpp"
#include "coll_topo/tool/progress.hpp"
#include "coll_topo/tool/simulation_drawing.hpp"
#include "coll_topo/tool/simulation_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>

namespace coll_topo::tool {

namespace {

constexpr int most_listed_links = 1000000;

struct SimulateOptions {
    ScenarioOptions scenario;  ///< `bytes` and `algorithm` may be lists with commas
    std::string software_costs = "on";
    bool lockstep = false;
    int top = 10;
    Format format = Format::text;
    std::string links_svg;
    std::string timeline_svg;
    std::string plot_svg;

    bool draws_one_case() const { return !links_svg.empty() || !timeline_svg.empty(); }
};

/// One size and one algorithm: the scenario with what runs in it, or with why nothing does.
struct PlannedCase {
    Scenario scenario;
    Candidate candidate;
};

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char character : list) {
        if (character == ',') {
            parts.emplace_back();
        } else {
            parts.back() += character;
        }
    }
    return parts;
}

constexpr const char* all_algorithms = "all";

/// The names of --algorithm; "" stands for the one that is chosen.
Expected<std::vector<std::string>> wanted_algorithms(const ScenarioOptions& options) {
    if (options.algorithm != all_algorithms) return split(options.algorithm);
    const auto collective = find_collective(options.collective);
    if (!collective) return tl::unexpected<Error>(collective.error());
    std::vector<std::string> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(*collective)) names.emplace_back(row.name);
    }
    return names;
}

/// The best candidate of the wanted algorithm. With "all", one that refuses is a line of the report, else an error.
Expected<Candidate> candidate_for(const Scenario& scenario, bool all) {
    const Decision decision = examine(scenario);
    if (decision.chosen >= 0) return decision.candidates[decision.chosen];
    if (all && !decision.candidates.empty()) return decision.candidates.front();
    return choose(scenario);
}

Expected<std::vector<PlannedCase>> plan_cases(const ScenarioOptions& options) {
    const auto algorithms = wanted_algorithms(options);
    if (!algorithms) return tl::unexpected<Error>(algorithms.error());
    std::vector<PlannedCase> cases;
    for (const std::string& algorithm : *algorithms) {
        for (const std::string& size : split(options.bytes)) {
            ScenarioOptions one = options;
            one.algorithm = algorithm;
            one.bytes = size;
            auto scenario = make_scenario(one);
            if (!scenario) return tl::unexpected<Error>(scenario.error());
            const auto candidate = candidate_for(*scenario, options.algorithm == all_algorithms);
            if (!candidate) return tl::unexpected<Error>(candidate.error());
            cases.push_back({std::move(*scenario), *candidate});
        }
    }
    return cases;
}

Expected<void> draw_case(const SimulateOptions& options, const PlannedCase& planned, const LinkGraph& network,
                         const Schedule& schedule, const Simulation& simulation) {
    const std::string title = fmt::format("{} of {}, {}", collective_name(planned.scenario.request.collective),
                                          bytes_text(planned.scenario.request.bytes), planned.candidate.text());
    if (!options.links_svg.empty()) {
        const std::string drawing = draw_utilisation(simulation, planned.scenario.fabric, network,
                                                     title + ". Links: grey idle, yellow to dark red busy");
        if (auto written = write_file(options.links_svg, drawing); !written) return written;
    }
    if (options.timeline_svg.empty()) return {};
    return write_file(options.timeline_svg, draw_timeline(simulation, schedule, title));
}

Expected<SimulatedCase> simulate_case(const SimulateOptions& options, const SimulationSettings& settings,
                                      const PlannedCase& planned, const simulate::Progress& progress) {
    const Scenario& scenario = planned.scenario;
    const Request& request = scenario.request;
    LinkGraph network(scenario.fabric);
    SimulatedCase result{request.bytes, planned.candidate};
    result.bound =
        simulate::bound(request.collective, request.bytes, request.root, scenario.fabric, network, scenario.placement)
            .seconds();
    if (!planned.candidate.refusal.empty()) return result;
    const Schedule schedule = build_schedule(scenario, planned.candidate);
    const auto simulation = simulate_schedule(schedule, request.collective, static_cast<std::uint64_t>(request.bytes),
                                              scenario.fabric, scenario.placement, settings, progress);
    if (!simulation) return failure(planned.candidate.text() + ": " + simulation.error().text());
    result.seconds = simulation->seconds;
    result.busiest = busiest_links(*simulation, network, options.top);
    if (auto drawn = draw_case(options, planned, network, schedule, *simulation); !drawn) {
        return tl::unexpected<Error>(drawn.error());
    }
    return result;
}

Expected<int> simulate_cases(const SimulateOptions& options, const Console& console) {
    const auto cases = plan_cases(options.scenario);
    if (!cases) return tl::unexpected<Error>(cases.error());
    if (options.draws_one_case() && cases->size() != 1) {
        return failure("--svg-links and --svg-timeline draw one simulation; give one size and one algorithm");
    }
    const Scenario& first = cases->front().scenario;
    write_notes(first, console.notes);

    SimulationReport report{first.request.collective,
                            first.grid.summary(),
                            {.software_costs = options.software_costs == "on", .lockstep = options.lockstep},
                            {}};
    constexpr int parts = 100;
    Progress progress("simulating, percent of the steps", static_cast<std::int64_t>(cases->size()) * parts);
    for (const PlannedCase& planned : *cases) {
        const auto done = static_cast<std::int64_t>(report.cases.size()) * parts;
        auto simulated = simulate_case(options, report.settings, planned, [&](double share) {
            progress.update(done + static_cast<std::int64_t>(share * parts));
        });
        if (!simulated) return tl::unexpected<Error>(simulated.error());
        report.cases.push_back(std::move(*simulated));
    }
    report.write(options.format, console.out);
    if (options.plot_svg.empty()) return exit_success;
    if (auto written = write_file(options.plot_svg, draw(report.plot())); !written) {
        return tl::unexpected<Error>(written.error());
    }
    return exit_success;
}

}  // namespace

void add_simulate_command(CLI::App& program, Action& chosen) {
    const auto options = std::make_shared<SimulateOptions>();
    CLI::App* const command =
        program.add_subcommand("simulate", "Runs a collective operation on a simulated network of any size.");
    add_scenario_options(*command, options->scenario);
    command->get_option("--bytes")
        ->description("as in coll-topo plan, but any number of sizes, such as 64KiB,1MiB; default: 1MiB")
        ->type_name("N,...");
    command->get_option("--algorithm")
        ->description("these rather than the one predicted to be fastest, or all")
        ->type_name("NAME,...");
    command
        ->add_option("--software-costs", options->software_costs,
                     "on (default): sending, combining and copying take time of the ranks; off: only the links count")
        ->check(CLI::Validator(CLI::IsMember({"on", "off"})).description(""))
        ->type_name("on|off");
    command->add_flag("--lockstep", options->lockstep, "no rank starts a step before all have ended the one before");
    command->add_option("--top", options->top, "how many of the busiest links to list; default: 10")
        ->check(CLI::Validator(CLI::Range(1, most_listed_links)).description(""))
        ->type_name("K");
    add_format_option(*command, options->format);
    const auto add_drawing = [&](const char* name, std::string& file, const char* what) {
        command->add_option(name, file, what)->type_name("OUT");
    };
    add_drawing("--svg-links", options->links_svg, "draws how busy the links are, as SVG");
    add_drawing("--svg-timeline", options->timeline_svg, "draws when each rank was in which step, as SVG");
    add_drawing("--svg-plot", options->plot_svg, "draws the times over the sizes, as SVG");
    command->callback([options, &chosen] {
        chosen = [options](const Console& console) { return simulate_cases(*options, console); };
    });
}

}  // namespace coll_topo::tool
