// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/output/parallel.hpp"
#include "coll_topo/tool/output/progress.hpp"
#include "coll_topo/tool/simulate/simulation_cases.hpp"
#include "coll_topo/tool/simulate/simulation_drawing.hpp"
#include "coll_topo/tool/simulate/simulation_report.hpp"

#include <fmt/format.h>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>

namespace coll_topo::tool {

namespace {

constexpr int most_listed_links = 1000000;
constexpr int most_jobs = 1024;
constexpr int most_sends_at_once = 1000000;

struct SimulateOptions {
    ScenarioOptions scenario;  ///< `bytes` and `algorithm` may be lists with commas
    std::string software_costs = "on";
    bool lockstep = false;
    int sends_at_once = 0;
    std::string resolution;  ///< empty: that of SimulationSettings
    int top = 0;             ///< 0: few or many, by the format
    bool all = false;
    Format format = Format::text;
    std::string links_svg;
    std::string timeline_svg;
    std::string plot_svg;
    std::string shares_svg;
    int jobs = 0;  ///< simulations at once; 0: as many as the machine runs at once

    int listed_links() const {
        if (top > 0) return top;
        return format == Format::text && !all ? 3 : 10;
    }
    bool draws_one_case() const { return !links_svg.empty() || !timeline_svg.empty(); }
};

Expected<void> draw_case(const SimulateOptions& options, const Scenario& scenario, const PlannedCase& planned,
                         const Schedule& schedule, const Simulation& simulation) {
    const std::string title = fmt::format("{} of {}, {}", collective_name(planned.request.collective()),
                                          bytes_text(planned.request.bytes), planned.candidate.text());
    if (!options.links_svg.empty()) {
        const LinkGraph network(scenario.fabric);
        const std::string drawing = draw_utilisation(simulation, scenario.fabric, network,
                                                     title + ". Links: grey idle, yellow to dark red busy");
        RETURN_IF_ERROR(write_file(options.links_svg, drawing));
    }
    if (options.timeline_svg.empty()) return {};
    return write_file(options.timeline_svg, draw_timeline(simulation, schedule, title));
}

Expected<SimulatedCase> simulate_case(const SimulateOptions& options, const SimulationSettings& settings,
                                      const Scenario& scenario, PlannedCase planned,
                                      const simulate::Progress& progress) {
    const Request& request = planned.request;
    LinkGraph network(scenario.fabric);
    SimulatedCase result{request.bytes, planned.candidate, planned.chosen};
    const simulate::Bound bound = simulate::bound(request.collective(), request.bytes, request.root, scenario.fabric,
                                                  network, scenario.placement, scenario.grid.cartesian());
    result.bound = settings.software_costs ? bound : bound.of_network();
    if (!planned.candidate.refusal.empty()) return result;
    const Schedule schedule = build_case(
        scenario, planned,
        options.scenario.algorithm == all_algorithms ? most_messages_of_all : std::numeric_limits<std::int64_t>::max());
    result.candidate = planned.candidate;
    if (!planned.candidate.refusal.empty()) return result;
    const auto simulation = simulate_schedule(schedule, request.collective(), static_cast<std::uint64_t>(request.bytes),
                                              scenario.fabric, scenario.placement, settings, progress);
    if (!simulation) return failure(planned.candidate.text() + ": " + simulation.error().text());
    result.seconds = simulation->seconds;
    result.busiest = busiest_links(*simulation, network, options.listed_links());
    RETURN_IF_ERROR(draw_case(options, scenario, planned, schedule, *simulation));
    return result;
}

/// The progress of several simulations, reported by several threads.
class JointProgress {
public:
    explicit JointProgress(std::size_t cases)
        : shares_(cases, 0), progress_("simulating, percent of the steps", static_cast<std::int64_t>(cases) * parts) {}

    void update(std::size_t index, double share) {
        const std::lock_guard lock(mutex_);
        shares_[index] = share;
        progress_.update(static_cast<std::int64_t>(std::reduce(shares_.begin(), shares_.end()) * parts));
    }

private:
    static constexpr int parts = 100;
    std::vector<double> shares_;
    Progress progress_;
    std::mutex mutex_;
};

Expected<void> simulate_cases(const SimulateOptions& options, const Scenario& scenario,
                              const std::vector<PlannedCase>& cases, SimulationReport& report) {
    JointProgress progress(cases.size());
    report.cases.resize(cases.size());
    const auto simulate_one = [&](int index) -> Expected<void> {
        auto simulated = simulate_case(options, report.settings, scenario, cases[index],
                                       [&](double share) { progress.update(index, share); });
        RETURN_IF_ERROR(simulated);
        report.cases[index] = std::move(*simulated);
        progress.update(index, 1);
        return {};
    };
    return run_in_parallel(static_cast<int>(cases.size()), options.jobs > 0 ? options.jobs : default_workers(),
                           simulate_one);
}

Expected<void> draw_plots(const SimulateOptions& options, const SimulationReport& report) {
    if (!options.plot_svg.empty()) {
        RETURN_IF_ERROR(write_file(options.plot_svg, draw(report.time_plot())));
    }
    if (options.shares_svg.empty()) return {};
    return write_file(options.shares_svg, draw(report.share_plot()));
}

Expected<double> read_resolution(const std::string& text) {
    if (text.empty()) return SimulationSettings{}.resolution;
    const auto seconds = parse_latency(Located{text});
    if (!seconds) return failure("--resolution: " + seconds.error().message);
    return *seconds > 0 ? seconds : failure("--resolution must be more than 0");
}

Expected<int> run_simulate(const SimulateOptions& options, const Console& console) {
    ScenarioOptions machine = options.scenario;  // what runs on it is planned case by case
    machine.algorithm.clear();
    machine.bytes = "0";
    auto scenario = make_scenario(machine);
    RETURN_IF_ERROR(scenario);
    const auto resolution = read_resolution(options.resolution);
    RETURN_IF_ERROR(resolution);
    const auto cases = plan_cases(*scenario, options.scenario);
    RETURN_IF_ERROR(cases);
    if (options.draws_one_case() && cases->size() != 1) {
        return failure("--svg-links and --svg-timeline draw one simulation; give one size and one algorithm");
    }
    write_notes(*scenario, console.notes);

    SimulationReport report{scenario->request.collective(),
                            scenario->grid.summary(),
                            {.software_costs = options.software_costs == "on",
                             .lockstep = options.lockstep,
                             .sends_at_once = options.sends_at_once,
                             .resolution = *resolution},
                            {}};
    RETURN_IF_ERROR(simulate_cases(options, *scenario, *cases, report));
    report.write(options.format, options.all, console.out);
    RETURN_IF_ERROR(draw_plots(options, report));
    return exit_success;
}

}  // namespace

Command simulate_command() {
    const auto options = std::make_shared<SimulateOptions>();
    Command command{{"simulate",
                     "Simulates a collective operation on a network of any size.",
                     scenario_options(options->scenario),
                     {"coll-topo simulate cluster.conf --bytes 1MiB,16MiB --algorithm all",
                      "coll-topo simulate cluster.conf --collective bcast --bytes 16MiB --svg-links links.svg"}},
                    [options](const Console& console) { return run_simulate(*options, console); }};
    for (command_line::Option& option : command.line.options) {
        if (option.name == "--bytes") {
            option.placeholder = "N,...";
            option.help = "as in coll-topo plan, but any number of sizes, such as 64KiB,1MiB; default: 1MiB";
        } else if (option.name == "--algorithm") {
            option.placeholder = "NAME,...";
            option.help = "these rather than the one predicted to be fastest, or all";
        }
    }
    const auto up_to = [](double most) { return command_line::Details{.limit = command_line::Between{1, most}}; };
    command.line.options.insert(
        command.line.options.end(),
        {{"--software-costs",
          "on|off",
          "on (default): sending, combining and copying take time of the ranks; off: only the links count",
          &options->software_costs,
          {.limit = command_line::OneOf{{"on", "off"}}}},
         {"--lockstep", "", "no rank starts a step before all have ended the one before", &options->lockstep},
         {"--sends-at-once", "N",
          "each lane of a rank has at most N messages under way; default: all that are posted together",
          &options->sends_at_once, up_to(most_sends_at_once)},
         {"--resolution", "TIME",
          "messages that end this shortly after another end with it, which saves time; default: 0.001ns",
          &options->resolution},
         {"--top", "K", "how many of the busiest links to list; default: 3, or 10 with --all and for programs",
          &options->top, up_to(most_listed_links)},
         {"--all", "", "every algorithm and number, not only the five fastest of each size and the choice",
          &options->all},
         {"--jobs", "N", "simulations at once; default: as many as there are processors", &options->jobs,
          up_to(most_jobs)},
         format_option(options->format),
         {"--svg-links", "OUT", "draws how busy the links are, as SVG", &options->links_svg},
         {"--svg-timeline", "OUT", "draws when each rank was in which step, as SVG", &options->timeline_svg},
         {"--svg-plot", "OUT", "draws the times over the sizes, as SVG", &options->plot_svg},
         {"--svg-shares", "OUT", "draws the shares of the bound over the sizes, as SVG", &options->shares_svg}});
    return command;
}

}  // namespace coll_topo::tool
