// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/scenario/scenario.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/select/choice_text.hpp"
#include "coll_topo/select/close_look.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/rule_decision.hpp"
#include "coll_topo/select/rules_file.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::tool {

namespace {

Expected<std::vector<int>> listed_hosts(const Fabric& fabric, const ScenarioOptions& options) {
    std::vector<int> hosts;
    if (options.hosts.empty()) {
        for (int host = 0; host < fabric.hosts.size(); ++host) hosts.push_back(host);
        return hosts;
    }
    auto listed = find_hosts(fabric, options.file, options.hosts);
    if (!listed) return failure("--hosts: " + listed.error().message);
    return listed;
}

Expected<Placement> place_ranks(const Fabric& fabric, const ScenarioOptions& options) {
    ASSIGN_OR_RETURN(const auto hosts, listed_hosts(fabric, options));
    if (options.ranks_per_host < 1 || options.ranks_per_host > 1024) {
        return failure("--ranks-per-host must be from 1 to 1024, not " + std::to_string(options.ranks_per_host));
    }
    Placement placement;
    for (const int host : hosts) {
        RankLocation location;
        location.host = host;
        placement.insert(placement.end(), options.ranks_per_host, location);
    }
    return placement;
}

}  // namespace

Expected<Scenario> make_scenario(const ScenarioOptions& options) {
    ASSIGN_OR_RETURN(auto file, read_topology_file(options.file));
    return make_scenario(std::move(file), options);
}

Expected<Scenario> make_scenario(TopologyFile file, const ScenarioOptions& options) {
    ASSIGN_OR_RETURN(auto placement, place_ranks(file.fabric, options));
    return make_scenario(std::move(file), std::move(placement), options);
}

Expected<Scenario> make_scenario(TopologyFile file, Placement placement, const ScenarioOptions& options) {
    std::vector<std::string> notes;
    for (const Error& note : file.notes) notes.push_back(note.text());
    Fabric& fabric = file.fabric;
    if (assume_bandwidth(fabric)) {
        notes.push_back(options.file +
                        " does not give the bandwidth of all links; 100 Gbit/s is assumed for the others");
    }

    ASSIGN_OR_RETURN(auto grid, Grid::from_fabric(fabric, placement));
    grid.set_cartesian(cartesian_along_axes(grid));
    Scenario scenario{std::move(fabric), std::move(placement), std::move(grid), {}, {}, {}, std::move(notes)};
    if (!options.rules.empty()) {
        ASSIGN_OR_RETURN(auto rules, read_rules_file(options.rules));
        scenario.rules = std::move(rules);
    }
    RETURN_IF_ERROR(set_request(scenario, options));
    return scenario;
}

Expected<void> set_request(Scenario& scenario, const ScenarioOptions& options) {
    ASSIGN_OR_RETURN(const auto request, read_request(options, scenario.grid));
    ASSIGN_OR_RETURN(const auto preferences, read_preferences(options, request, scenario.grid.fewest_ranks_per_host()));
    scenario.request = request;
    scenario.preferences = preferences;
    return {};
}

void write_notes(const Scenario& scenario, std::ostream& out) {
    for (const std::string& note : scenario.notes) out << "note: " << note << "\n";
}

Request typical_request(const Request& request) {
    Request typical = request;
    typical.bytes = representative_bytes(size_class(static_cast<std::size_t>(typical.bytes)));
    return typical;
}

Decision examine(const Scenario& scenario) {
    const Request& request = scenario.request;
    const RuleTable table(scenario.rules, scenario.grid, request.call);
    const auto matching = table.matching(table.range_of(static_cast<std::size_t>(request.bytes)));
    const Request typical = typical_request(request);
    Decision decision = decide_by_rules(scenario.grid, typical, scenario.preferences, matching);
    CloseLook close_look(scenario.grid, request);
    if (decision.chosen >= 0) close_look.expect(decision.candidates[decision.chosen].seconds);
    // Between the ways of an algorithm that is asked for, formulas may have decided.
    const bool keeps_times = typical.bytes == request.bytes && scenario.preferences.algorithm == nullptr;
    const auto predict = [&](Candidate& candidate) {
        if (!is_predicted(candidate) || (candidate.looked_at_closely && keeps_times)) return;
        candidate.seconds =
            seconds_of(request.call, *candidate.algorithm, scenario.grid, candidate.problem, request.bytes);
        close_look.predict(candidate);
    };
    close_look.take_longer();
    for (Candidate& candidate : decision.candidates) {
        const bool is_chosen = &candidate - decision.candidates.data() == decision.chosen;
        if (scenario.preferences.predict_all || is_chosen) predict(candidate);
    }
    if (decision.previous) predict(*decision.previous);
    return decision;
}

bool is_predicted(const Candidate& candidate) {
    return candidate.refusal.empty() || candidate.seconds > 0;
}

Expected<Candidate> choose(const Scenario& scenario) {
    const Decision decision = examine(scenario);
    if (decision.chosen >= 0) return decision.candidates[decision.chosen];
    if (!decision.rule.empty()) {
        return failure("the rule at " + decision.rule + " leaves " +
                       std::string(collective_name(scenario.request.collective())) +
                       " to the previous module; give an algorithm with --algorithm");
    }
    std::string why = decision.candidates.empty() ? "" : ": " + refused_text(decision.candidates);
    if (scenario.preferences.algorithm == nullptr) {
        why += "; give one of the reference algorithms with --algorithm: " +
               algorithms_for(scenario.request.call, Rows::references);
    }
    return failure("the component has no algorithm for " + std::string(collective_name(scenario.request.collective())) +
                   " on " + scenario.grid.summary() + why);
}

Schedule build_schedule(const Scenario& scenario, const Candidate& candidate) {
    return candidate.algorithm->all_programs(scenario.grid, candidate.problem);
}

}  // namespace coll_topo::tool
