// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/near_hosts.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {

NearHosts::NearHosts(const Grid& grid) {
    constexpr int most = 24;
    MessageWays ways(grid);
    const int hosts = grid.hosts();
    const auto cables = [&](int from, int to) {
        if (!grid.switched()) return grid.cells()->cables(from, to);
        return static_cast<int>(grid.leaves().routes.route(grid.leaves().leaf(from), to).size());
    };
    std::vector<std::pair<int, int>> others;  // cables between them, and how far ahead in number
    begin_.push_back(0);
    for (int host = 0; host < hosts; ++host) {
        others.clear();
        for (int ahead = 1; ahead < hosts; ++ahead) {
            others.emplace_back(ahead == 1 ? 0 : cables(host, (host + ahead) % hosts), ahead);
        }
        const auto kept = others.begin() + std::min(most, hosts - 1);
        std::ranges::partial_sort(others, kept);
        for (auto other = others.begin(); other != kept; ++other) add(ways, host, (host + other->second) % hosts);
        begin_.push_back(near_.size());
    }
    for (int link = 0; link < ways.links(); ++link) seconds_per_byte_.push_back(ways.seconds_per_byte(link));
}

void NearHosts::add(MessageWays& ways, int from, int to) {
    const auto begin = static_cast<std::int32_t>(links_.size());
    ways.append(from, to, links_);
    const auto middle = static_cast<std::int32_t>(links_.size());
    ways.append(to, from, links_);
    near_.push_back({to, begin, middle, static_cast<std::int32_t>(links_.size())});
}

}  // namespace coll_topo
