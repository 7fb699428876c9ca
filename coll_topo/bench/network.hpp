// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/grid/placement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

/// Where ranks are taken to be, as in coll_topo's parameters.
struct PlacementRule {
    std::string place = "host";
    int ranks_per_host = 1;
};

/// What coll_topo sees of the ranks of a run.
struct GridFacts {
    std::string shape;  ///< sizes of the axes: "4x4"
    int hosts = 0;
    int least_ranks_per_host = 0;
    int most_ranks_per_host = 0;
};

/// The network under a run, and where its ranks are.
class Network {
public:
    /// Reads a topology file and finds the hosts with these names, one for each rank; or places the ranks by rule.
    static Expected<Network> make(const std::string& file, const PlacementRule& rule,
                                  const std::vector<std::string>& host_of_rank);

    std::string summary() const { return fabric_->summary(); }

    /// Nothing where coll_topo cannot plan for such a network or placement.
    std::optional<GridFacts> grid() const;

    /// Seconds below which no collective of so many bytes can end; nothing where the file says too little.
    std::optional<double> bound(std::string_view collective, std::int64_t bytes, int root) const;

private:
    Network(Fabric fabric, Placement placement);

    std::unique_ptr<Fabric> fabric_;  // which the graph refers to
    std::unique_ptr<LinkGraph> graph_;
    Placement placement_;
};

}  // namespace coll_topo::bench
