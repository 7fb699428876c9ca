// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/grid.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/fabric/switch_graph.hpp"
#include "coll_topo/grid/grid_builder.hpp"
#include "coll_topo/grid/grid_shape.hpp"

namespace coll_topo {

namespace {

Expected<void> check_hosts(const Fabric& fabric, const Placement& placement) {
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        if (placement[rank].host < 0 || placement[rank].host >= fabric.hosts.size()) {
            return failure("the host of rank " + std::to_string(rank) + " is not in the topology file");
        }
    }
    if (placement.empty()) return failure("there are no ranks to place");
    return {};
}

/// Routes join the leaves that links join, in whatever direction.
Expected<void> check_joined(const Fabric& fabric, const SwitchGraph& graph, const HostsInUse& in_use) {
    const std::vector<std::int32_t> part = joined_parts(graph);
    const std::int32_t first = part[graph.leaf_of_host[in_use.hosts[0]]];
    for (const std::int32_t host : in_use.hosts) {
        if (part[graph.leaf_of_host[host]] != first) {
            return failure("the topology file connects " + std::string(fabric.hosts.name(in_use.hosts[0])) + " and " +
                           std::string(fabric.hosts.name(host)) +
                           " by no switch; add the missing SwitchName or Link lines");
        }
    }
    return {};
}

}  // namespace

Expected<Grid> Grid::from_torus(const Fabric& fabric, const Placement& placement) {
    const Torus* torus = fabric.torus();
    if (torus == nullptr) return failure("the topology is not a torus or mesh");
    RETURN_IF_ERROR(check_hosts(fabric, placement));
    const HostsInUse in_use(fabric, placement);
    return GridBuilder(fabric, placement, in_use).build(fit_on_torus(fabric, *torus, in_use));
}

Expected<Grid> Grid::from_switches(const Fabric& fabric, const Placement& placement) {
    const auto* graph = std::get_if<SwitchGraph>(&fabric.network);
    if (graph == nullptr) return failure("the topology has no switches");
    RETURN_IF_ERROR(check_hosts(fabric, placement));
    const HostsInUse in_use(fabric, placement);
    RETURN_IF_ERROR(check_joined(fabric, *graph, in_use));
    return GridBuilder(fabric, placement, in_use).build(fit_on_switches(fabric, *graph, in_use));
}

Expected<Grid> Grid::from_fabric(const Fabric& fabric, const Placement& placement) {
    return fabric.torus() != nullptr ? from_torus(fabric, placement) : from_switches(fabric, placement);
}

bool Grid::aggregators_are_first(int host, int aggregators) const {
    return preference_.empty() || aggregators == host_begin_[host + 1] - host_begin_[host];
}

int Grid::aggregator_index(int host, int number, int aggregators) const {
    return aggregators_are_first(host, aggregators) ? number : preference_[host_begin_[host] + number];
}

int Grid::aggregator_number(int rank, int aggregators) const {
    const int host = host_of_rank_[rank], local_rank = local_ranks_[rank];
    if (aggregators_are_first(host, aggregators)) return local_rank < aggregators ? local_rank : -1;
    for (int number = 0; number < aggregators; ++number) {
        if (aggregator_index(host, number, aggregators) == local_rank) return number;
    }
    return -1;
}

bool Grid::winds() const {
    if (!cells_ || axes_.size() != 1) return false;
    const auto is_passed = [](const TorusDimension& dimension) { return dimension.size > 1; };
    return std::ranges::count_if(cells_->part().dimensions(), is_passed) > 1;
}

bool Grid::keeps_to_axes() const {
    return switched() || (cells_->part().cells() == places_ && !winds());
}

std::string Grid::summary() const {
    std::string text = shape_of(*this);
    text += places_ == 1 ? " host" : " hosts";
    if (axes_.size() == 1 && axes_[0].name == "line") text += " in a line (they fill no box)";
    text += ", " + std::to_string(fewest_ranks_per_host_);
    if (most_ranks_per_host_ != fewest_ranks_per_host_) text += " to " + std::to_string(most_ranks_per_host_);
    text += most_ranks_per_host_ == 1 ? " rank each" : " ranks each";
    if (extra_hosts() > 0)
        text += ", " + std::to_string(extra_hosts()) + (extra_hosts() == 1 ? " extra host" : " extra hosts");
    if (takes_turns())
        text += ", in turns on " + std::to_string(processors_) + (processors_ == 1 ? " processor" : " processors");
    return text;
}

}  // namespace coll_topo
