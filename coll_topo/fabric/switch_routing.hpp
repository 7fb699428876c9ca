// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// One direction of one cable of a switch graph.
struct CableUse {
    int link;   ///< of SwitchGraph::links
    int cable;  ///< 0 .. SwitchLink::count-1
    bool up;    ///< from the lower switch to the upper one
};

/// Routes through switches: a message goes up as far as it must and then down. The next hop depends only on the switch
/// and the destination host. Among equally short routes up, the cable is chosen by d-mod-k, as is usual in fat trees:
/// cable number (host / d) mod k of the k cables up, where the first cables to each of the upper switches come before
/// the second ones, and d is the product of the numbers of upper switches of the levels below. So the hosts of one leaf
/// spread over the cables of every level. Forwarding tables in the file (SwitchGraph::routes) take precedence.
/// Distances to a leaf are computed when they are first needed. The graph must outlive it and have no cycle.
class SwitchRouting {
public:
    explicit SwitchRouting(const SwitchGraph& graph);

    /// Appends the cables from one switch to the leaf of `host`; false, and nothing appended, if there is no way, or
    /// given routes lead in a circle (find_lost_messages). Two switches without a common switch above them, as in none
    /// of the known fat trees, get the shortest route.
    bool route(int from_switch, int host, std::vector<CableUse>& cables);

    /// The cable by which a switch sends messages to `host` on; nothing at the host's leaf, and if there is no way.
    std::optional<CableUse> next(int at, int host);

    int other_end(int at, int link) const {
        return graph_->links[link].from == at ? graph_->links[link].to : graph_->links[link].from;
    }

private:
    /// In which direction a message goes on from a switch to a leaf.
    enum class Phase : std::int8_t { none, down, up, any };
    /// From a switch.
    struct LeafDistance {
        std::int32_t hops = 0;
        Phase phase = Phase::none;
    };

    /// Of all switches.
    const std::vector<LeafDistance>& distances_to(int leaf);
    void spread(std::vector<LeafDistance>& distances, Phase phase) const;
    bool leads_on(const std::vector<LeafDistance>& distances, int at, int link) const;
    CableUse next_by_dmodk(const std::vector<LeafDistance>& distances, int at, int host);
    int cable_of(int link, int host) const;
    const GivenRoute* given(int at, int host) const;
    void find_divisors();

    const SwitchGraph* graph_;
    std::vector<std::vector<int>> links_of_;  // by switch, ascending
    std::vector<std::size_t> first_route_;    // by switch: the first of SwitchGraph::routes; empty: there are none
    std::vector<std::int64_t> divisor_;       // by switch: the d of its uplinks
    std::vector<int> parents_;                // by switch: how many switches are above it
    std::vector<int> candidates_;             // links, while one is chosen
    std::vector<std::vector<LeafDistance>> distances_;  // by leaf, then by switch; empty: not yet asked for
};

/// Given routes by which messages to a host never arrive.
struct LostMessages {
    int host;
    std::vector<std::int32_t> switches;  ///< where they pass, from one with a given route on
    bool circle;  ///< the last switch sends them to the first again; if not, the last one has no way to the host
};

/// The first such host, by its number; nothing if all given routes lead to their hosts.
std::optional<LostMessages> find_lost_messages(const SwitchGraph& graph);

}  // namespace coll_topo
