// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/ways_to_leaf.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
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
/// Ways to a leaf are found when they are first needed, and forgotten when they become many: memory grows with the
/// network only. The graph must outlive it and have no cycle.
class SwitchRouting {
public:
    explicit SwitchRouting(const SwitchGraph& graph);
    SwitchRouting(const SwitchRouting&) = delete;  // ways refer to it
    SwitchRouting& operator=(const SwitchRouting&) = delete;

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
    std::int64_t parents(int index) const { return static_cast<std::int64_t>(links_of_.up_count(index)); }
    WaysToLeaf& ways_to(int leaf);
    CableUse next_by_dmodk(std::span<const int> candidates, int at, int host) const;
    std::pair<int, int> cable_number(std::span<const int> candidates, std::int64_t number) const;
    int cable_of(int link, int host) const;
    const GivenRoute* given(int at, int host) const;
    void find_divisors();

    const SwitchGraph* graph_;
    SwitchLinks links_of_;
    std::vector<std::size_t> first_route_;     // by switch: the first of SwitchGraph::routes; empty: there are none
    std::vector<std::int64_t> divisor_;        // by switch: the d of its uplinks
    std::vector<std::int32_t> group_of_leaf_;  // leaf_groups()
    std::vector<std::unique_ptr<WaysToLeaf>> ways_to_group_;     // null: not known
    std::map<int, std::unique_ptr<WaysToLeaf>> ways_to_single_;  // leaves that have switches below
    std::size_t kept_ = 0;                                       // what all of these remember
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
