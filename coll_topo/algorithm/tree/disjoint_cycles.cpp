// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo {
namespace {

/// How many of gcd(m, n) steps lead along the cycle of m, so that this and the other choice at each place are both a
/// single cycle; 0 if no number does.
int steps_along_first(int m, int n) {
    const int all = std::gcd(m, n);
    for (int first = 1; first < all; ++first) {
        const int second = all - first;
        if (std::gcd(first, m) == 1 && std::gcd(second, m) == 1 && std::gcd(first, n) == 1 && std::gcd(second, n) == 1)
            return first;
    }
    return 0;
}

/// One of the two cycles of a cycle of places crossed with an axis.
std::vector<std::int32_t> crossed(const Grid& grid, const std::vector<std::int32_t>& cycle, int axis, int along,
                                  bool other) {
    const int m = static_cast<int>(cycle.size()), n = grid.axes()[axis].size, period = std::gcd(m, n);
    std::vector<std::int32_t> order;
    order.reserve(std::size_t{1} * m * n);
    for (int x = 0, y = 0; static_cast<int>(order.size()) < m * n;) {
        order.push_back(grid.along(cycle[x], axis, y));
        const bool first = ((x + y) % period < along) != other;
        if (first)
            x = (x + 1) % m;
        else
            y = (y + 1) % n;
    }
    return order;
}

}  // namespace

bool has_disjoint_cycles(const Grid& grid) {
    // With two places an axis has one cable, which would be used both ways by one cycle.
    constexpr int least_size = 3;
    if (grid.switched() || grid.axes().size() < 2) return false;
    int places = 1;
    for (const Axis& axis : grid.axes()) {
        if (!axis.wrapped || axis.size < least_size) return false;
        if (places > 1 && steps_along_first(places, axis.size) == 0) return false;
        places *= axis.size;
    }
    return true;
}

std::vector<std::vector<std::int32_t>> disjoint_cycles(const Grid& grid) {
    if (!has_disjoint_cycles(grid)) return {};
    std::vector<std::int32_t> before;
    for (int x = 0; x < grid.axes()[0].size; ++x) before.push_back(grid.along(0, 0, x));
    const int last = static_cast<int>(grid.axes().size()) - 1;
    const auto along = [&](int axis) {
        return steps_along_first(static_cast<int>(before.size()), grid.axes()[axis].size);
    };
    for (int axis = 1; axis < last; ++axis) before = crossed(grid, before, axis, along(axis), false);
    return {crossed(grid, before, last, along(last), false), crossed(grid, before, last, along(last), true)};
}

}  // namespace coll_topo
