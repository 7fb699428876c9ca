// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/command.hpp"
#include "coll_topo/tool/plan_json.hpp"
#include "coll_topo/tool/plan_text.hpp"
#include "coll_topo/tool/scenario.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace coll_topo::tool {

namespace {

struct PlanOptions {
    ScenarioOptions scenario;
    std::vector<int> ranks;
    std::string format = "text";
    bool routes = false;
};

Expected<std::vector<int>> wanted_ranks(const PlanOptions& options, int ranks) {
    if (options.ranks.empty()) {
        std::vector<int> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    for (const int rank : options.ranks) {
        if (rank >= 0 && rank < ranks) continue;
        return failure("--rank must be from 0 to " + std::to_string(ranks - 1) + ", not " + std::to_string(rank));
    }
    return options.ranks;
}

Expected<int> plan(const PlanOptions& options, const Console& console) {
    if (options.routes && options.format != "json") return failure("--routes needs --format json");
    const auto scenario = make_scenario(options.scenario);
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    write_notes(*scenario, console.notes);
    const auto candidate = choose(*scenario);
    if (!candidate) return tl::unexpected<Error>(candidate.error());
    const auto ranks = wanted_ranks(options, scenario->grid.ranks());
    if (!ranks) return tl::unexpected<Error>(ranks.error());
    const Schedule schedule = build_schedule(*scenario, *candidate);
    LinkGraph network(scenario->fabric);
    if (options.format == "json") {
        write_plan_json(console.out, *scenario, *candidate, schedule, network, *ranks, options.routes);
    } else {
        write_plan_text(console.out, *scenario, *candidate, schedule, network, *ranks);
    }
    return exit_success;
}

}  // namespace

void add_plan_command(CLI::App& program, Action& chosen) {
    const auto options = std::make_shared<PlanOptions>();
    CLI::App* const command =
        program.add_subcommand("plan", "Writes the schedule of a collective operation, in words or as JSON.");
    add_scenario_options(*command, options->scenario);
    command->add_option("--rank", options->ranks, "what this rank does only; may be given more than once")
        ->type_name("RANK");
    command->add_flag("--routes", options->routes, "with --format json: also the links that messages take");
    command->add_option("--format", options->format, "text (default) or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("FORMAT");
    command->callback(
        [options, &chosen] { chosen = [options](const Console& console) { return plan(*options, console); }; });
}

}  // namespace coll_topo::tool
