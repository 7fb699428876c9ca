// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/scenario.hpp"

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/input/wording.hpp"

#include <CLI/CLI.hpp>
#include <optional>
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
    const auto hosts = listed_hosts(fabric, options);
    if (!hosts) return tl::unexpected<Error>(hosts.error());
    if (options.ranks_per_host < 1 || options.ranks_per_host > 1024) {
        return failure("--ranks-per-host must be from 1 to 1024, not " + std::to_string(options.ranks_per_host));
    }
    Placement placement;
    for (const int host : *hosts) {
        RankLocation location;
        location.host = host;
        placement.insert(placement.end(), options.ranks_per_host, location);
    }
    return placement;
}

Expected<void> check_connected(const Fabric& fabric, const Placement& placement) {
    LinkGraph network(fabric);
    std::vector<int> route;
    for (const RankLocation& location : placement) {
        route.clear();
        if (network.route(placement[0].host, location.host, route)) continue;
        return failure("the file connects " + network.name(placement[0].host) + " and " + network.name(location.host) +
                       " by no switch; add the missing SwitchName or Link lines");
    }
    return {};
}

enum class Rows { all, references };

/// "ring, bruck or linear".
std::string algorithms_for(Collective collective, Rows rows) {
    std::vector<std::string_view> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(collective) && (rows == Rows::all || row.reference)) names.push_back(row.name);
    }
    return alternatives(names);
}

Expected<const Algorithm*> find_row(std::string_view name, Collective collective) {
    const Algorithm* const row = find_algorithm(name);
    if (row != nullptr && row->serves(collective)) return row;
    return failure("no algorithm " + in_quotes(name) + " for " + std::string(collective_name(collective)) +
                   "; there are: " + algorithms_for(collective, Rows::all));
}

Expected<Request> read_request(const ScenarioOptions& options, int ranks) {
    const auto collective = find_collective(options.collective);
    if (!collective) return tl::unexpected<Error>(collective.error());
    const auto bytes = parse_bytes(Located{options.bytes});
    if (!bytes) return failure("--bytes: " + bytes.error().message);
    if (options.root < 0 || options.root >= ranks) {
        return failure("--root must be a rank, 0 to " + std::to_string(ranks - 1) + ", not " +
                       std::to_string(options.root));
    }
    Request request;
    request.collective = *collective;
    request.bytes = static_cast<double>(*bytes);
    request.root = is_rooted(*collective) ? options.root : 0;
    return request;
}

Expected<Preferences> read_preferences(const ScenarioOptions& options, Collective collective, int most_aggregators) {
    Preferences preferences;
    if (!options.algorithm.empty()) {
        const auto row = find_row(options.algorithm, collective);
        if (!row) return tl::unexpected<Error>(row.error());
        preferences.algorithm = *row;
    }
    const auto check = [](const char* option, int value, int most) -> std::optional<Error> {
        if (value >= 0 && value <= most) return {};
        return Error{std::string(option) + " must be from 1 to " + std::to_string(most) + ", or 0 to choose, not " +
                     std::to_string(value)};
    };
    constexpr int most_segments = 1 << 16;
    if (const auto wrong = check("--lanes", options.lanes, preferences.max_lanes)) return tl::unexpected(*wrong);
    if (const auto wrong = check("--aggregators", options.aggregators, most_aggregators)) return tl::unexpected(*wrong);
    if (const auto wrong = check("--segments", options.segments, most_segments)) return tl::unexpected(*wrong);
    preferences.lanes = options.lanes;
    preferences.aggregators = options.aggregators;
    preferences.segments = options.segments;
    return preferences;
}

}  // namespace

Expected<Collective> find_collective(std::string_view name) {
    std::vector<std::string_view> names;
    for (int index = 0; index < collective_count; ++index) {
        const auto collective = static_cast<Collective>(index);
        if (collective_name(collective) == name) return collective;
        names.push_back(collective_name(collective));
    }
    return failure("no collective " + in_quotes(name) + "; there are: " + alternatives(names));
}

Expected<std::vector<int>> find_hosts(const Fabric& fabric, const std::string& file, const std::string& list) {
    std::vector<int> hosts;
    const auto visit = [&](std::string_view name, const Located&) -> Expected<void> {
        hosts.push_back(fabric.hosts.find(name));
        if (hosts.back() != NameTable::missing) return {};
        const int last = fabric.hosts.size() - 1;
        return failure(file + " has no host " + in_quotes(name) + "; it has " + counted(last + 1, "host", "hosts") +
                       ", " + std::string(fabric.hosts.name(0)) +
                       (last > 0 ? " to " + std::string(fabric.hosts.name(last)) : ""));
    };
    if (auto read = for_each_name(Located{list}, visit); !read) return tl::unexpected<Error>(read.error());
    return hosts;
}

void add_placement_options(CLI::App& command, ScenarioOptions& options) {
    command.add_option("FILE", options.file, "the topology file, see coll-topo.conf(5)")->required();
    command
        .add_option("--hosts", options.hosts, "hosts in the order of the ranks, such as n[00-07]; default: all of FILE")
        ->type_name("LIST");
    command.add_option("--ranks-per-host", options.ranks_per_host, "consecutive ranks on each host; default: 1")
        ->type_name("K");
}

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
    add_placement_options(command, options);
    command.add_option("--collective", options.collective, "such as allreduce (default), bcast or alltoall")
        ->type_name("NAME");
    command
        .add_option("--bytes", options.bytes,
                    "size of one rank's vector (allgather, reduce_scatter, alltoall: of all its pieces together), such "
                    "as 8, 64KiB or 4MB; default: 1MiB")
        ->type_name("N");
    command.add_option("--algorithm", options.algorithm, "this one rather than the one predicted to be fastest")
        ->type_name("NAME");
    command.add_option("--root", options.root, "the root of bcast and reduce; default: 0")->type_name("RANK");
    command.add_option("--lanes", options.lanes, "parts of the data that travel at once on different ways")
        ->type_name("L");
    command.add_option("--aggregators", options.aggregators, "ranks of a host that exchange data with other hosts")
        ->type_name("A");
    command.add_option("--segments", options.segments, "parts of the data that follow each other in a pipeline")
        ->type_name("S");
}

Expected<Scenario> make_scenario(const ScenarioOptions& options) {
    auto file = read_topology_file(options.file);
    if (!file) return tl::unexpected<Error>(file.error());
    return make_scenario(std::move(*file), options);
}

Expected<Scenario> make_scenario(TopologyFile file, const ScenarioOptions& options) {
    auto placement = place_ranks(file.fabric, options);
    if (!placement) return tl::unexpected<Error>(placement.error());
    return make_scenario(std::move(file), std::move(*placement), options);
}

Expected<Scenario> make_scenario(TopologyFile file, Placement placement, const ScenarioOptions& options) {
    std::vector<std::string> notes;
    for (const Error& note : file.notes) notes.push_back(note.text());
    Fabric& fabric = file.fabric;
    if (assume_bandwidth(fabric)) {
        notes.push_back(options.file +
                        " does not give the bandwidth of all links; 100 Gbit/s is assumed for the others");
    }

    if (auto connected = check_connected(fabric, placement); !connected) {
        return tl::unexpected<Error>(connected.error());
    }
    auto grid = Grid::from_fabric(fabric, placement);
    if (!grid) return tl::unexpected<Error>(grid.error());
    Scenario scenario{std::move(fabric), std::move(placement), std::move(*grid), {}, {}, std::move(notes)};
    if (auto set = set_request(scenario, options); !set) return tl::unexpected<Error>(set.error());
    return scenario;
}

Expected<void> set_request(Scenario& scenario, const ScenarioOptions& options) {
    const auto request = read_request(options, scenario.grid.ranks());
    if (!request) return tl::unexpected<Error>(request.error());
    const auto preferences = read_preferences(options, request->collective, scenario.grid.smallest_board());
    if (!preferences) return tl::unexpected<Error>(preferences.error());
    scenario.request = *request;
    scenario.preferences = *preferences;
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
    Decision decision = decide(scenario.grid, typical_request(scenario.request), scenario.preferences);
    for (Candidate& candidate : decision.candidates) {
        if (!is_predicted(candidate)) continue;
        candidate.seconds = candidate.algorithm->seconds(scenario.grid, candidate.problem, scenario.request.bytes);
    }
    return decision;
}

bool is_predicted(const Candidate& candidate) {
    return candidate.refusal.empty() || candidate.seconds > 0;
}

Expected<Candidate> choose(const Scenario& scenario) {
    const Decision decision = examine(scenario);
    if (decision.chosen >= 0) return decision.candidates[decision.chosen];
    std::string why;
    for (const Candidate& candidate : decision.candidates) {
        why += (why.empty() ? ": " : "; ") + candidate.text() + ": " + candidate.refusal;
    }
    if (scenario.preferences.algorithm == nullptr) {
        why += "; give one of the reference algorithms with --algorithm: " +
               algorithms_for(scenario.request.collective, Rows::references);
    }
    return failure("the component has no algorithm for " + std::string(collective_name(scenario.request.collective)) +
                   " on " + scenario.grid.summary() + why);
}

Schedule build_schedule(const Scenario& scenario, const Candidate& candidate) {
    Schedule schedule;
    schedule.reserve(scenario.grid.ranks());
    for (int rank = 0; rank < scenario.grid.ranks(); ++rank) {
        schedule.push_back(candidate.algorithm->build(scenario.grid, candidate.problem, rank));
    }
    return schedule;
}

}  // namespace coll_topo::tool
