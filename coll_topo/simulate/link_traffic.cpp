// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/link_traffic.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/schedule/message_sizes.hpp"

namespace coll_topo::simulate {
namespace {

Expected<void> check_bandwidths(const std::vector<std::uint64_t>& traffic, const LinkGraph& graph) {
    for (std::size_t link = 0; link < traffic.size(); ++link) {
        const Link& used = graph.links()[link];
        if (traffic[link] == 0 || used.bandwidth > 0) continue;
        return failure("the file does not say the bandwidth between " + graph.name(used.from) + " and " +
                       graph.name(used.to) + "; add Bandwidth= to the line that joins them");
    }
    return {};
}

}  // namespace

Expected<std::vector<std::uint64_t>> link_traffic(const Schedule& schedule, Collective collective, std::uint64_t bytes,
                                                  LinkGraph& graph, const Placement& placement) {
    std::vector<std::uint64_t> traffic(graph.links().size(), 0);
    std::vector<int> route;
    const int ranks = static_cast<int>(schedule.size());
    for (int rank = 0; rank < ranks; ++rank) {
        const MessageSizes sizes(collective, schedule[rank], rank, ranks, bytes);
        for (const Action& action : schedule[rank].actions) {
            if (action.kind != ActionKind::send) continue;
            const int from = placement[rank].host, to = placement[action.peer].host;
            route.clear();
            if (!graph.route(from, to, route)) {
                return failure("the network does not connect " + graph.name(from) + " with " + graph.name(to));
            }
            for (const int link : route) traffic[link] += sizes.bytes(action);
        }
    }
    RETURN_IF_ERROR(check_bandwidths(traffic, graph));
    return traffic;
}

}  // namespace coll_topo::simulate
