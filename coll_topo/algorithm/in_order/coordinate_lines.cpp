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
    if (const int adopted = grid_.extra_host_of(place); adopted >= 0) {
        const auto extras = grid_.ranks_of_host(adopted);
        ranks.insert(ranks.end(), extras.begin(), extras.end());
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
        const int adopted = grid_.extra_host_of(place);
        most =
            std::max(most, grid_.ranks_of_host(place).size() + (adopted < 0 ? 0 : grid_.ranks_of_host(adopted).size()));
    }
    return static_cast<int>(most);
}

std::vector<std::int32_t> CoordinateLines::operands() const {
    const auto& axes = grid_.axes();
    std::vector<std::int32_t> operands;
    operands.reserve(grid_.ranks());
    for (int number = 0; number < grid_.places(); ++number) {
        int place = 0, rest = number;
        // The first axis last: only then is it known which leaf's hosts they are.
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
