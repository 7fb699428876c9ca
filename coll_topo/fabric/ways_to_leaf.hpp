// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_links.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coll_topo {

/// The shortest ways up and then down to a leaf, or to any of several leaves that are below the same switches and above
/// none. Only the switches above the leaf are looked at first, and others when they are asked about, with those above
/// them; but where some switch has no way up and down, all are.
class WaysToLeaf {
public:
    /// In which direction messages go on from a switch.
    enum class Phase : std::int8_t { none, down, up, any };

    struct Hop {
        std::int32_t hops = 0;       ///< links on the way to the leaf
        Phase phase = Phase::none;   ///< none: no way
        std::span<const int> links;  ///< the first ones of the shortest ways, ascending; none at the last hop down
    };

    /// To `leaf` and to every other with the same links up if it `has_twins`. `kept` counts what is remembered.
    WaysToLeaf(const SwitchGraph& graph, const SwitchLinks& links, int leaf, bool has_twins, std::size_t& kept);

    /// From a switch that is not a leaf the ways lead to. `links` is valid until the next call.
    Hop from(int at);

private:
    struct Node {
        std::int32_t index;  // the switch
        std::int32_t hops;
        Phase phase;
        bool all_up;                         // every link up leads on; if not, links_ from `begin` on
        std::int32_t begin = -1, count = 0;  // begin < 0: not yet looked for
    };

    void climb(int leaf, bool has_twins);
    void resolve(int at);
    void resolve_by_parents(int at);
    void spread_in_any_direction();
    void list_any_links(Node& node);
    Node* find(int index);
    Node& add(int index, std::int32_t hops, Phase phase);
    std::size_t slot(int index) const;
    void grow();

    const SwitchGraph& graph_;
    const SwitchLinks& links_of_;
    std::size_t& kept_;
    bool complete_ = false;  // all switches have been looked at
    std::vector<Node> nodes_;
    std::vector<std::int32_t> slots_;  // open addressing, -1 empty, size a power of two
    std::vector<int> links_;
    std::vector<int> stack_;
};

}  // namespace coll_topo
