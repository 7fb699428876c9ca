// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/switch_graph.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace coll_topo {

/// The links of every switch, as indices into SwitchGraph::links, ascending.
class SwitchLinks {
public:
    explicit SwitchLinks(const SwitchGraph& graph);

    /// To the switches above, and to those below.
    std::span<const int> up(int index) const { return {up_.data() + up_begin_[index], up_count(index)}; }
    std::span<const int> down(int index) const { return {down_.data() + down_begin_[index], down_count(index)}; }

    std::size_t up_count(int index) const { return up_begin_[index + 1] - up_begin_[index]; }
    std::size_t down_count(int index) const { return down_begin_[index + 1] - down_begin_[index]; }

private:
    std::vector<std::size_t> up_begin_, down_begin_;  // by switch, and the end of the last
    std::vector<int> up_, down_;
};

/// All switches, each behind those below it. The links have no cycle.
std::vector<int> bottom_up(const SwitchGraph& graph, const SwitchLinks& links);

/// By switch: the most links on a way down from it.
std::vector<int> heights(const SwitchGraph& graph, const SwitchLinks& links);

}  // namespace coll_topo
