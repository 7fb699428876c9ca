// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/plan_json.hpp"

#include "test/fuzz/byte_source.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/tool/network/network_facts.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

namespace coll_topo::fuzz {

namespace {

using Json = nlohmann::json;

/// A file for a small network.
std::string network_text(ByteSource& source) {
    const auto number = [&](int least, int most) { return std::to_string(source.between(least, most)); };
    switch (source.between(0, 3)) {
        case 0: {
            std::string dims = number(1, 6);
            int cells = std::stoi(dims);
            std::string wrap(1, source.between(0, 1) == 0 ? 'n' : 'y');
            for (int more = source.between(0, 2); more > 0; --more) {
                const int size = source.between(1, 3);
                dims += 'x' + std::to_string(size);
                cells *= size;
                wrap += source.between(0, 1) == 0 ? 'n' : 'y';
            }
            return "TorusName=t Dims=" + dims + " Wrap=" + wrap + " Nodes=h[1-" + std::to_string(cells) + "]\n";
        }
        case 1: {
            std::string text;
            const int leaves = source.between(1, 5);
            int host = 0;
            for (int leaf = 1; leaf <= leaves; ++leaf) {
                const int last = host + source.between(1, 4);
                text += "SwitchName=l" + std::to_string(leaf) + " Nodes=h[" + std::to_string(host + 1) + "-" +
                        std::to_string(last) + "]\n";
                host = last;
            }
            return text + "Link From=l[1-" + std::to_string(leaves) + "] To=s[1-" + number(1, 3) +
                   "] Count=" + number(1, 2) + " Bandwidth=10GB/s Latency=" + number(0, 3) + "us\n";
        }
        case 2:
            return "FullMeshName=m Ports=6 Nodes=h[1-36]\n";
        default: {
            const int order = source.between(2, 3), hosts_per_leaf = source.between(1, 3);
            return "LatinSquareName=q Order=" + std::to_string(order) +
                   " HostsPerLeaf=" + std::to_string(hosts_per_leaf) + " Nodes=h[1-" +
                   std::to_string((order * order + order + 1) * hosts_per_leaf) + "]\n";
        }
    }
}

/// Some of the hosts, with some ranks each, bound to some memory domains.
Placement draw_placement(ByteSource& source, int hosts) {
    constexpr std::size_t most_ranks = 16;
    Placement placement;
    const int ranks_per_host = source.between(1, 3);
    const int uneven = source.between(0, 3);  // ranks more on a host
    for (int host = 0; host < hosts; ++host) {
        const auto bits = source.take<unsigned char>();
        if ((bits & 1U) != 0) continue;
        const int ranks = ranks_per_host + (uneven == 3 ? bits >> 1U & 1U : 0);
        for (int rank = 0; rank < ranks && placement.size() < most_ranks; ++rank) {
            RankLocation location;
            location.host = host;
            location.numa = (bits & 4U) != 0 ? rank % 2 : RankLocation::unbound;
            placement.push_back(location);
        }
    }
    return placement;
}

tool::ScenarioOptions draw_options(ByteSource& source, int ranks) {
    tool::ScenarioOptions options;
    options.collective = collective_name(static_cast<Collective>(source.between(0, collective_count - 1)));
    options.bytes = std::to_string(std::int64_t{1} << source.between(0, 40));
    options.root = source.between(0, ranks - 1);
    options.lanes = source.between(0, 8);
    options.segments = source.between(0, 20);
    return options;
}

/// The actions in the JSON of a plan and in its programs.
std::string wrong_json(const tool::Scenario& scenario, const Candidate& candidate, const Schedule& schedule) {
    LinkGraph network(scenario.fabric);
    std::vector<int> ranks;
    for (int rank = 0; rank < scenario.grid.ranks(); ++rank) ranks.push_back(rank);
    std::ostringstream out;
    tool::write_plan_json(out, scenario, candidate, schedule, network, ranks, true);
    const Json plan = Json::parse(out.str(), nullptr, false);
    if (plan.is_discarded()) return "not JSON: " + out.str();
    std::size_t written = 0, wanted = 0;
    for (const Json& program : plan.at("programs")) {
        for (const Json& lane : program.at("lanes")) {
            for (const Json& step : lane.at("steps")) written += step.size();
        }
    }
    for (const Program& program : schedule) wanted += program.actions.size();
    return written == wanted ? "" : "other actions in JSON";
}

/// The schedule for a candidate, proved.
std::string wrong_plan(const tool::Scenario& scenario, const Candidate& candidate) {
    const std::string name = std::string(collective_name(scenario.request.collective())) + " by " + candidate.text() +
                             " on " + scenario.grid.summary() + ": ";
    if (!(candidate.seconds >= 0)) return name + "predicted time is none";
    const Schedule schedule = tool::build_schedule(scenario, candidate);
    const auto proof =
        prove(scenario.request.collective(), schedule, candidate.algorithm->in_order(scenario.grid, candidate.problem),
              candidate.problem.root, scenario.grid.cartesian());
    if (!proof) return name + proof.error().text();
    const std::string wrong = wrong_json(scenario, candidate, schedule);
    return wrong.empty() ? "" : name + wrong;
}

}  // namespace

/// Not bytes of a plan, which nothing reads: what is asked for. One of the plans that can be made for it is proved.
std::string plan_complaint(std::string_view bytes) {
    ByteSource source(bytes);
    const std::string text = network_text(source);
    auto file = read_topology_text(text, "drawn.conf");
    if (!file) return file.error().text() + "\n" + text;
    const Placement placement = draw_placement(source, file->fabric.hosts.size());
    if (placement.empty()) return {};
    const auto options = draw_options(source, static_cast<int>(placement.size()));
    auto scenario = tool::make_scenario(std::move(*file), placement, options);
    if (!scenario) return scenario.error().message.empty() ? "an error without a message" : "";
    scenario->preferences.list_references = true;
    scenario->request.commutative = source.between(0, 3) != 3;
    if (tool::find_facts(scenario->fabric).hosts < 1) return "a network without hosts";
    auto candidates = tool::examine(*scenario).candidates;
    std::erase_if(candidates, [](const Candidate& candidate) { return !tool::is_predicted(candidate); });
    if (candidates.empty()) return {};
    const int chosen = source.between(0, static_cast<int>(candidates.size()) - 1);
    const std::string wrong = wrong_plan(*scenario, candidates[chosen]);
    return wrong.empty() ? "" : wrong + "\n" + text;
}

}  // namespace coll_topo::fuzz
