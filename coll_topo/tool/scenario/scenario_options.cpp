// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/scenario/scenario_options.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <optional>

namespace coll_topo::tool {

namespace {

Expected<const Algorithm*> find_row(std::string_view name, const Request& request) {
    const Algorithm* const row = find_algorithm(name);
    if (row != nullptr && row->serves(request.call)) return row;
    return failure("no algorithm " + in_quotes(name) + " for " + std::string(call_name(request.call)) +
                   "; there are: " + algorithms_for(request.call, Rows::all));
}

}  // namespace

std::vector<command_line::Option> scenario_options(ScenarioOptions& options) {
    const std::string collectives =
        "allreduce (default), reduce, bcast, scan, exscan, reduce_scatter, reduce_scatter_block, allgather, alltoall, "
        "gather, scatter, neighbor_allgather or neighbor_alltoall";
    return {
        {"FILE", "", "the topology file, see coll-topo.conf(5)", &options.file, {.required = true}},
        {"--hosts", "LIST", "hosts in the order of the ranks, such as n[00-07]; default: all of FILE", &options.hosts},
        {"--ranks-per-host", "K", "consecutive ranks on each host; default: 1", &options.ranks_per_host},
        {"--collective", "NAME",
         options.variants
             ? collectives + ", also allgatherv, gatherv, scatterv, alltoallv, alltoallw, neighbor_allgatherv, "
                             "neighbor_alltoallv, neighbor_alltoallw or barrier"
             : collectives,
         &options.collective},
        {"--bytes", "N",
         "size of one rank's vector (allgather, reduce_scatter, alltoall, gather, scatter, and those of neighbours: of "
         "all "
         "pieces together), such as 8, 64KiB or 4MB; default: 1MiB",
         &options.bytes},
        {"--algorithm", "NAME", "this one rather than the one predicted to be fastest", &options.algorithm},
        {"--root", "RANK", "the root of bcast, reduce, gather and scatter; default: 0", &options.root},
        {"--lanes", "L", "parts of the data that travel at once on different routes", &options.lanes},
        {"--aggregators", "A", "ranks of a host that exchange data with other hosts", &options.aggregators},
        {"--segments", "S", "parts of the data that follow each other in a pipeline", &options.segments},
        {"--rules", "FILE", "a file of rules, see coll-topo-rules.conf(5)", &options.rules}};
}

Expected<Collective> find_collective(std::string_view name) {
    std::vector<std::string_view> names;
    for (int index = 0; index < collective_count; ++index) {
        const auto collective = static_cast<Collective>(index);
        if (collective_name(collective) == name) return collective;
        names.push_back(collective_name(collective));
    }
    const auto call = find_call(name);
    if (call && has_unequal_pieces(*call) && schedule_of(*call) == Collective::alltoall) {
        return failure(std::string(name) +
                       " runs a schedule of alltoall with pieces of its own sizes, see coll-topo explain; use "
                       "--collective alltoall and --algorithm " +
                       algorithms_for(*call, Rows::all));
    }
    if (call == Call::barrier) {
        return failure(
            "barrier runs a schedule of allreduce, see coll-topo explain; use --collective allreduce and "
            "--bytes 1");
    }
    if (call) {
        return failure(std::string(name) + " runs a schedule of " + std::string(collective_name(schedule_of(*call))) +
                       " with pieces of its own sizes, see coll-topo explain; use --collective " +
                       std::string(collective_name(schedule_of(*call))));
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
    RETURN_IF_ERROR(for_each_name(Located{list}, visit));
    return hosts;
}

std::string algorithms_for(Call call, Rows rows) {
    std::vector<std::string_view> names;
    for (const Algorithm& row : catalogue()) {
        if (row.serves(call) && (rows == Rows::all || row.reference)) names.push_back(row.name);
    }
    return alternatives(names);
}

Expected<Request> read_request(const ScenarioOptions& options, const Grid& grid) {
    const int ranks = grid.ranks();
    const auto call = find_call(options.collective);
    if (options.variants && call && !has_size(*call)) return request_for(*call, pieces_of(*call, grid));
    Request request;
    if (options.variants && call) {
        request.call = *call;
    } else {
        ASSIGN_OR_RETURN(const auto collective, find_collective(options.collective));
        request.call = call_of(collective);
    }
    const auto bytes = parse_bytes(Located{options.bytes});
    if (!bytes) return failure("--bytes: " + bytes.error().message);
    if (options.root < 0 || options.root >= ranks) {
        return failure("--root must be a rank, 0 to " + std::to_string(ranks - 1) + ", not " +
                       std::to_string(options.root));
    }
    request.bytes = static_cast<double>(*bytes);
    request.root = is_rooted(request.collective()) ? options.root : 0;
    return request;
}

Expected<Preferences> read_preferences(const ScenarioOptions& options, const Request& request, int most_aggregators) {
    Preferences preferences;
    if (!options.algorithm.empty()) {
        ASSIGN_OR_RETURN(const auto row, find_row(options.algorithm, request));
        preferences.algorithm = row;
    }
    const auto check = [](const char* option, int value, int most) -> std::optional<Error> {
        if (value >= 0 && value <= most) return {};
        return Error{std::string(option) + " must be from 1 to " + std::to_string(most) + ", or 0 to choose, not " +
                     std::to_string(value)};
    };
    if (const auto wrong = check("--lanes", options.lanes, most_lanes)) return tl::unexpected(*wrong);
    if (const auto wrong = check("--aggregators", options.aggregators, most_aggregators)) return tl::unexpected(*wrong);
    if (const auto wrong = check("--segments", options.segments, most_forced_segments)) return tl::unexpected(*wrong);
    preferences.lanes = options.lanes;
    preferences.aggregators = options.aggregators;
    preferences.segments = options.segments;
    preferences.host_memory = true;  // as by default
    return preferences;
}

}  // namespace coll_topo::tool
