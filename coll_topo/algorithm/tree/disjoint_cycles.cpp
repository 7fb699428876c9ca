// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include "coll_topo/algorithm/tree/crossed_cycles.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <utility>

namespace coll_topo {
namespace {

using Cycle = CrossedCycles::Cycle;

/// The copies of a cycle on all floors in one, joined by cables that the crossed cycles give for theirs. Empty if these
/// have none that fit.
Cycle joined_floors(const Grid& grid, const Cycle& cycle, int axis, CrossedCycles& crossed) {
    constexpr int most_tries = 10000;
    const int size = static_cast<int>(cycle.size());
    const auto at = [&](int i, int floor) { return grid.along(cycle[i % size], axis, floor); };
    // The first cable of a floor, but for one, that may be exchanged with that above it; -1 if there is none.
    const auto exchange_one = [&](int floor, int but) {
        for (int i = 0; i < size; ++i) {
            if (i != but && crossed.give(at(i, floor), at(i, floor + 1), at(i + 1, floor), at(i + 1, floor + 1)))
                return i;
        }
        return -1;
    };
    std::minstd_rand random;  // always the same numbers
    Cycle joined;
    for (int i = 0; i < size; ++i) joined.push_back(at(i, 0));
    for (int floor = 0, taken = -1; floor + 1 < grid.axes()[axis].size; ++floor) {
        const int before = taken;
        taken = exchange_one(floor, before);
        for (int tries = 0; taken < 0 && tries < most_tries; ++tries) {
            if (crossed.vary(floor, random)) taken = exchange_one(floor, before);
        }
        if (taken < 0) return {};
        Cycle above;
        for (int i = 0; i < size; ++i) above.push_back(at(taken + size - i, floor + 1));
        auto from = std::ranges::find(joined, at(taken, floor));
        if (*(from + 1 == joined.end() ? joined.begin() : from + 1) == at(taken + 1, floor)) {
            ++from;
        } else {
            std::ranges::reverse(above);
        }
        joined.insert(from, above.begin(), above.end());
    }
    return joined;
}

}  // namespace

int disjoint_cycle_count(const Grid& grid) {
    // With two places an axis has one cable, which would be used both ways by one cycle.
    constexpr int least_size = 3;
    // More than two take long to find, and rings are for few hosts.
    constexpr int most_places = 128;
    const auto is_ring = [](const Axis& axis) { return axis.wrapped && axis.size >= least_size; };
    const int axes = static_cast<int>(grid.axes().size());
    if (grid.switched() || axes < 2 || !std::ranges::all_of(grid.axes(), is_ring)) return 0;
    return grid.places() <= most_places ? axes : 2;
}

std::vector<Cycle> disjoint_cycles(const Grid& grid) {
    const int count = disjoint_cycle_count(grid);
    if (count == 0) return {};
    // On the floors of a short axis cables that fit are rare.
    std::vector<int> axes(grid.axes().size());
    std::iota(axes.begin(), axes.end(), 0);
    if (count > 2) std::ranges::stable_sort(axes, {}, [&](int axis) { return grid.axes()[axis].size; });
    std::vector<Cycle> cycles(1);
    for (int x = 0; x < grid.axes()[axes[0]].size; ++x) cycles[0].push_back(grid.along(0, axes[0], x));
    for (std::size_t next = 1; next < axes.size(); ++next) {
        CrossedCycles crossed(grid, cycles[0], axes[next]);
        std::vector<Cycle> others;
        for (std::size_t i = 1; i < cycles.size() && count > 2; ++i) {
            if (Cycle joined = joined_floors(grid, cycles[i], axes[next], crossed); !joined.empty())
                others.push_back(std::move(joined));
        }
        std::vector<Cycle> all = {crossed.places(0), crossed.places(1)};
        std::ranges::move(others, std::back_inserter(all));
        cycles = std::move(all);
    }
    return cycles;
}

}  // namespace coll_topo
