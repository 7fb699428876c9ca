// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/switch_links.hpp"

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

}  // namespace coll_topo
