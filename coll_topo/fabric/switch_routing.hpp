// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// One direction of one cable of a switch graph.
struct CableUse {
    int link;   ///< of SwitchGraph::links
    int cable;  ///< 0 .. SwitchLink::count-1
    bool up;    ///< from the lower switch to the upper one
};

/// Routes through switches: a message goes up as far as it must and then down. The next hop depends only on the switch
/// and the destination host. Among equally short ways the cable is taken by d-mod-k, as is usual in
/// fat trees: cable number (host / d) mod k, where d is the product of the k of the levels below, so that hosts
/// of one leaf spread over the cables of every level. What must be known about a destination leaf is computed when it
/// is first asked for. The graph must outlive it and have no cycle.
class SwitchRouting {
public:
    explicit SwitchRouting(const SwitchGraph& graph);

    /// Appends the cables from one switch to the leaf of `host`; false, and nothing appended, if there is no way.
    /// Networks in which some switches have no switch above both (none of the known fat trees) get the shortest way.
    bool route(int from_switch, int host, std::vector<CableUse>& cables);

private:
    /// How the way from a switch to a leaf goes on.
    enum class Phase : std::int8_t { none, down, up, any };
    struct Way {
        std::int32_t hops = 0;
        Phase phase = Phase::none;
    };

    const std::vector<Way>& ways_to(int leaf);
    void spread(std::vector<Way>& ways, Phase phase) const;
    bool leads_on(const std::vector<Way>& ways, int at, int link) const;
    CableUse next(const std::vector<Way>& ways, int at, int host) const;
    int other_end(int at, int link) const {
        return graph_->links[link].from == at ? graph_->links[link].to : graph_->links[link].from;
    }
    void find_divisors();

    const SwitchGraph* graph_;
    std::vector<std::vector<int>> links_of_;  // by switch, ascending
    std::vector<std::int64_t> divisor_;       // by switch: the d of its uplinks
    std::vector<std::vector<Way>> ways_;      // by leaf, then by switch; empty: not yet asked for
};

}  // namespace coll_topo
