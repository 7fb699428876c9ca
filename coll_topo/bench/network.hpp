// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/grid/placement.hpp"
#include "coll_topo/simulate/bounds.hpp"
#include "coll_topo/tool/tune/bench_results.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

/// The parameters of coll_topo that say where ranks are taken to be.
struct PlacementParameters {
    std::string place = "host";
    int ranks_per_host = 1;
};

/// The network under a run, and where its ranks are.
class Network {
public:
    /// Reads a topology file and finds the hosts with these names, one for each rank; or places the ranks by rule.
    static Expected<Network> make(const std::string& file, const PlacementParameters& parameters,
                                  const std::vector<std::string>& host_of_rank);

    std::string summary() const { return fabric_->summary(); }

    /// Nothing where coll_topo cannot plan for such a network or placement.
    std::optional<tool::GridFacts> grid() const;

    /// What no schedule can beat, by the costs of the file; nothing where it says too little.
    std::optional<simulate::Bound> bound(std::string_view collective, std::int64_t bytes, int root) const;

    /// A Cartesian topology along the axes of the grid; nothing if ranks do not fill one.
    const std::optional<Cartesian>& cartesian() const { return cartesian_; }

private:
    Network(Fabric fabric, Placement placement);
    Expected<Grid> planned_grid() const;

    std::unique_ptr<Fabric> fabric_;  // which the graph refers to
    std::unique_ptr<LinkGraph> graph_;
    Placement placement_;
    std::optional<Cartesian> cartesian_;
};

}  // namespace coll_topo::bench
