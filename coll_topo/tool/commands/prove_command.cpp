// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/network/network_family.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/progress.hpp"
#include "coll_topo/tool/plan/proofs.hpp"
#include "coll_topo/tool/plan/ruled_candidates.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <memory>
#include <set>

namespace coll_topo::tool {

namespace {

constexpr int usual_segments = 3;  // enough for all cases of a pipeline: first, middle, last

struct ProveOptions {
    ScenarioOptions scenario;
    std::string family;
    std::vector<std::string> collectives;
    bool all = false;
    Format format = Format::text;
};

/// The collectives to prove: those asked for, or all that the algorithm serves.
Expected<std::vector<Collective>> wanted_collectives(const ProveOptions& options) {
    std::vector<Collective> wanted;
    for (const std::string& name : options.collectives) {
        const auto collective = find_collective(name);
        RETURN_IF_ERROR(collective);
        wanted.push_back(*collective);
    }
    if (!wanted.empty()) return wanted;
    const Algorithm* const row = find_algorithm(options.scenario.algorithm);
    for (int index = 0; index < collective_count; ++index) {
        const auto collective = static_cast<Collective>(index);
        // An unknown name is left to make_scenario, which lists those there are.
        if (row == nullptr || row->serves(collective)) wanted.push_back(collective);
    }
    return wanted;
}

Expected<std::vector<FamilyMember>> wanted_networks(const ProveOptions& options) {
    if (!options.family.empty()) return make_family(options.family);
    auto file = read_topology_file(options.scenario.file);
    RETURN_IF_ERROR(file);
    std::vector<FamilyMember> networks;
    networks.push_back({options.scenario.file, std::move(*file)});
    return networks;
}

/// Every way to serve the request that is not refused.
void prove_all_ways(const std::string& network, Scenario& scenario, LinkGraph& links, Proofs& proofs) {
    scenario.preferences.list_references = true;
    for (const Candidate& candidate : examine(scenario).candidates) {
        if (is_predicted(candidate)) proofs.add(network, scenario, candidate, {}, links);
    }
}

/// What the rules choose; a rule that is passed over is noted once.
void prove_by_rules(const std::string& network, Scenario& scenario, LinkGraph& links, Proofs& proofs,
                    std::set<std::string>& told, const Console& console) {
    for (Rule& rule : scenario.rules) {
        if (rule.segments == 0) rule.segments = usual_segments;
    }
    for (const Request& request : requests_served_alike(scenario.request, scenario.grid)) {
        scenario.request = request;
        const RuledCandidates ruled = ruled_candidates(scenario);
        for (const RuledCandidate& one : ruled.candidates) {
            proofs.add(network, scenario, one.candidate, one.rule, links);
        }
        for (const std::string& rule : ruled.passed_over) {
            const std::string note = std::string(call_name(request.call)) + ": not by rule " + rule;
            if (told.insert(note).second) console.notes << "note: " << note << "\n";
        }
    }
}

Expected<void> check_options(const ProveOptions& options) {
    if (options.scenario.file.empty() == options.family.empty()) return failure("give either FILE or --family");
    if (!options.scenario.rules.empty() && !options.scenario.algorithm.empty()) {
        return failure("give either --algorithm or --rules");
    }
    return {};
}

Expected<int> prove_all(ProveOptions options, const Console& console) {
    RETURN_IF_ERROR(check_options(options));
    auto networks = wanted_networks(options);
    RETURN_IF_ERROR(networks);
    const auto collectives = wanted_collectives(options);
    RETURN_IF_ERROR(collectives);
    const bool by_rules = !options.scenario.rules.empty();
    if (!by_rules && options.scenario.segments == 0) options.scenario.segments = usual_segments;

    Proofs proofs(by_rules);
    std::set<std::string> told;
    Progress progress("proving", static_cast<std::int64_t>(networks->size() * collectives->size()));
    std::int64_t done = 0;
    for (const FamilyMember& network : *networks) {
        bool noted = false;
        for (const Collective collective : *collectives) {
            options.scenario.collective = collective_name(collective);
            auto scenario = make_scenario(network.file, options.scenario);
            RETURN_IF_ERROR(scenario);
            if (!noted) write_notes(*scenario, console.notes);
            noted = true;
            LinkGraph links(scenario->fabric);
            if (by_rules) {
                prove_by_rules(network.name, *scenario, links, proofs, told, console);
            } else {
                prove_all_ways(network.name, *scenario, links, proofs);
            }
            progress.update(++done);
        }
    }
    if (proofs.empty()) {
        return failure(by_rules ? "the rules choose no algorithm for this; without --rules, all are proved"
                                : "no algorithm serves this, so that there is nothing to prove");
    }
    proofs.write(console.out, options.format, options.all);
    return proofs.failed() == 0 ? exit_success : exit_finding;
}

}  // namespace

Command prove_command() {
    const auto options = std::make_shared<ProveOptions>();
    ScenarioOptions& scenario = options->scenario;
    return {{"prove",
             "Proves that schedules are right, and counts messages on links.",
             {{"FILE", "", "the topology file, see coll-topo.conf(5)", &scenario.file},
              {"--family", "FAMILY", "instead of FILE: all of these, such as 'torus 2..4x2..4'", &options->family},
              {"--collective", "NAME", "this one only; may be given more than once", &options->collectives},
              {"--algorithm", "NAME", "this one only", &scenario.algorithm},
              {"--hosts", "LIST", "hosts in the order of the ranks; default: all", &scenario.hosts},
              {"--ranks-per-host", "K", "consecutive ranks on each host; default: 1", &scenario.ranks_per_host},
              {"--root", "RANK", "the root of bcast and reduce; default: 0", &scenario.root},
              {"--lanes", "L", "with this many lanes only", &scenario.lanes},
              {"--aggregators", "A", "with this many aggregators only", &scenario.aggregators},
              {"--segments", "S", "with this many segments; default: 3", &scenario.segments},
              {"--rules", "FILE",
               "only what a file of rules chooses, see coll-topo-rules.conf(5); the segments are the rules'",
               &scenario.rules},
              {"--all", "", "also the segments, the messages of each round, and the busiest link", &options->all},
              format_option(options->format)},
             {"coll-topo prove cluster.conf", "coll-topo prove --family 'torus 2..4x2..4' --collective bcast"}},
            [options](const Console& console) { return prove_all(*options, console); }};
}

}  // namespace coll_topo::tool
