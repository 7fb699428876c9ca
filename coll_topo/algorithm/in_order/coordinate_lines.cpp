// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/in_order/coordinate_lines.hpp"

#include <algorithm>

namespace coll_topo {

int CoordinateLines::place(int rank) const {
    return grid_.place_of(grid_.host(rank));
}

std::vector<std::int32_t> CoordinateLines::ranks(int place) const {
    const auto local_ranks = grid_.ranks_of_host(place);
    std::vector<std::int32_t> ranks(local_ranks.begin(), local_ranks.end());
    if (const int extra_host = grid_.extra_host_of(place); extra_host >= 0) {
        const auto extra_ranks = grid_.ranks_of_host(extra_host);
        ranks.insert(ranks.end(), extra_ranks.begin(), extra_ranks.end());
    }
    return ranks;
}

int CoordinateLines::index(int rank) const {
    const int host = grid_.host(rank);
    const std::size_t before = host < grid_.places() ? 0 : grid_.ranks_of_host(grid_.proxy(host)).size();
    return static_cast<int>(before) + grid_.local_rank(rank);
}

int CoordinateLines::most_ranks() const {
    if (grid_.extra_hosts() == 0) return grid_.most_ranks_per_host();
    std::size_t most = 0;
    for (int place = 0; place < grid_.places(); ++place) {
        const int extra_host = grid_.extra_host_of(place);
        most = std::max(
            most, grid_.ranks_of_host(place).size() + (extra_host < 0 ? 0 : grid_.ranks_of_host(extra_host).size()));
    }
    return static_cast<int>(most);
}

std::vector<std::int32_t> CoordinateLines::operands() const {
    const auto& axes = grid_.axes();
    std::vector<std::int32_t> operands;
    operands.reserve(grid_.ranks());
    for (int number = 0; number < grid_.places(); ++number) {
        int place = 0, rest = number;
        // The first axis last: only then is their leaf known.
        std::vector<int> coordinates;
        for (const Axis& axis : axes) {
            coordinates.push_back(rest % axis.size);
            rest /= axis.size;
        }
        for (int axis = static_cast<int>(axes.size()) - 1; axis >= 0; --axis) {
            place = along(place, axis, coordinates[axis]);
        }
        for (const std::int32_t rank : ranks(place)) operands.push_back(rank);
    }
    return operands;
}

bool CoordinateLines::in_rank_order() const {
    return std::ranges::is_sorted(operands());
}

}  // namespace coll_topo
