// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/network.hpp"

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/grid/grid_shape.hpp"
#include "coll_topo/grid/trial_placement.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/mpi_run/rank_hosts.hpp"

#include <cmath>
#include <utility>

namespace coll_topo::bench {

namespace {

Expected<std::vector<int>> hosts_by_rule(const Fabric& fabric, const PlacementParameters& parameters,
                                         std::size_t ranks) {
    ASSIGN_OR_RETURN(const auto trial, TrialPlacement::make(fabric, parameters.place, parameters.ranks_per_host,
                                                            static_cast<int>(ranks)));
    std::vector<int> hosts;
    for (std::size_t rank = 0; rank < ranks; ++rank) hosts.push_back(trial.host(static_cast<int>(rank)));
    return hosts;
}

std::optional<Collective> collective_of(std::string_view name) {
    const auto call = find_call(name);
    if (!call || *call == Call::barrier) return std::nullopt;
    return schedule_of(*call);  // pieces are called with equal counts
}

}  // namespace

Network::Network(Fabric fabric, Placement placement)
    : fabric_(std::make_unique<Fabric>(std::move(fabric))),
      graph_(std::make_unique<LinkGraph>(*fabric_)),
      placement_(std::move(placement)) {}

Expected<Network> Network::make(const std::string& file, const PlacementParameters& parameters,
                                const std::vector<std::string>& host_of_rank) {
    ASSIGN_OR_RETURN(auto read, read_topology_file(file));
    ASSIGN_OR_RETURN(const auto hosts, parameters.place == "host"
                                           ? hosts_by_name(read.fabric, host_of_rank)
                                           : hosts_by_rule(read.fabric, parameters, host_of_rank.size()));
    Placement placement(hosts.size());
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) placement[rank].host = hosts[rank];
    Network network(std::move(read.fabric), std::move(placement));
    if (const auto grid = network.planned_grid()) network.cartesian_ = cartesian_along_axes(*grid);
    return network;
}

Expected<Grid> Network::planned_grid() const {
    Fabric fabric = *fabric_;
    assume_bandwidth(fabric);
    return Grid::from_fabric(fabric, placement_);
}

std::optional<tool::GridFacts> Network::grid() const {
    const auto grid = planned_grid();
    if (!grid) return std::nullopt;
    return tool::GridFacts{shape_of(*grid), grid->hosts(), grid->fewest_ranks_per_host(), grid->most_ranks_per_host()};
}

std::optional<simulate::Bound> Network::bound(std::string_view collective, std::int64_t bytes, int root) const {
    const auto known = collective_of(collective);
    if (!known) return std::nullopt;
    const auto bound = simulate::bound(*known, static_cast<double>(bytes), root, *fabric_, *graph_, placement_,
                                       cartesian_ ? &*cartesian_ : nullptr);
    return std::isfinite(bound.seconds()) && bound.seconds() > 0 ? std::optional(bound) : std::nullopt;
}

}  // namespace coll_topo::bench
