// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_links.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo {

SwitchLinks::SwitchLinks(const SwitchGraph& graph)
    : up_begin_(graph.switches.size() + 1, 0),
      down_begin_(graph.switches.size() + 1, 0),
      up_(graph.links.size()),
      down_(graph.links.size()) {
    for (const SwitchLink& link : graph.links) {
        ++up_begin_[link.from + 1];
        ++down_begin_[link.to + 1];
    }
    std::partial_sum(up_begin_.begin(), up_begin_.end(), up_begin_.begin());
    std::partial_sum(down_begin_.begin(), down_begin_.end(), down_begin_.begin());
    std::vector<std::size_t> next_up(up_begin_.begin(), up_begin_.end() - 1);
    std::vector<std::size_t> next_down(down_begin_.begin(), down_begin_.end() - 1);
    for (std::size_t link = 0; link < graph.links.size(); ++link) {
        up_[next_up[graph.links[link].from]++] = static_cast<int>(link);
        down_[next_down[graph.links[link].to]++] = static_cast<int>(link);
    }
}

std::vector<int> bottom_up(const SwitchGraph& graph, const SwitchLinks& links) {
    std::vector<int> order;
    std::vector<std::size_t> below(graph.switches.size());  // links to switches that are not in it yet
    for (int index = 0; index < graph.switches.size(); ++index) {
        below[index] = links.down_count(index);
        if (below[index] == 0) order.push_back(index);
    }
    for (std::size_t place = 0; place < order.size(); ++place) {
        for (const int link : links.up(order[place])) {
            const int upper = graph.links[link].to;
            if (--below[upper] == 0) order.push_back(upper);
        }
    }
    return order;
}

std::vector<int> heights(const SwitchGraph& graph, const SwitchLinks& links) {
    std::vector<int> height(graph.switches.size(), 0);
    for (const int lower : bottom_up(graph, links)) {
        for (const int link : links.up(lower)) {
            int& upper = height[graph.links[link].to];
            upper = std::max(upper, height[lower] + 1);
        }
    }
    return height;
}

}  // namespace coll_topo
