// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/disjoint_cycles.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <utility>

namespace coll_topo {
namespace {

using Cycle = std::vector<std::int32_t>;

/// Places of a cycle crossed with an axis, as rows: which of the two cycles has the cable to the right and down.
class Crossing {
public:
    Crossing(int columns, int rows)
        : columns_(columns), rows_(rows), right_(columns * rows, 0), down_(columns * rows, 1) {
        const bool by_rows = rows > columns;
        const int more = std::max(columns, rows), fewer = std::min(columns, rows);
        // Cables that lead round an odd number of rows or columns make up for sizes that are not both odd or both even.
        const bool mixed = (columns + rows) % 2 == 1;
        const int squares = more - (mixed && more % 2 == 1 ? 0 : 1),
                  joining = fewer - (mixed && fewer % 2 == 1 ? 0 : 1);
        for (int i = 0; i < squares; ++i) {
            const int across = i < joining ? i : (i - joining) % 2;
            if (by_rows)
                exchange(across, i);
            else
                exchange(i, across);
        }
    }

    /// Visits the places of one cycle, as (column, row).
    template <typename Visit>
    void walk(int cycle, Visit&& visit) const {
        int x = 0, y = 0, back = -1;
        for (int i = 0; i < columns_ * rows_; ++i) {
            visit(x, y);
            const bool ways[] = {right_[at(x, y)] == cycle, down_[at(x, y)] == cycle, right_[at(x - 1, y)] == cycle,
                                 down_[at(x, y - 1)] == cycle};
            int way = 0;
            while (!ways[way] || way == back) ++way;
            x = (x + columns_ + (way == 0) - (way == 2)) % columns_;
            y = (y + rows_ + (way == 1) - (way == 3)) % rows_;
            back = (way + 2) % 4;
        }
    }

private:
    int at(int x, int y) const { return (y + rows_) % rows_ * columns_ + (x + columns_) % columns_; }

    /// The four cables of the square to the right of a place and below it.
    void exchange(int x, int y) {
        std::swap(right_[at(x, y)], down_[at(x, y)]);
        std::swap(right_[at(x, y + 1)], down_[at(x + 1, y)]);
    }

    int columns_, rows_;
    std::vector<std::int8_t> right_, down_;  // by place
};

/// The two cycles of a cycle of places crossed with an axis, whose places are floors, while squares exchange cables.
class CrossedCycles {
public:
    CrossedCycles(const Grid& grid, const Cycle& cycle, int axis) : grid_(grid), cycle_(cycle), axis_(axis) {
        const Crossing crossing(columns(), floors());
        for (const int number : {0, 1}) {
            Cycle places;
            crossing.walk(number, [&](int x, int y) { places.push_back(at(x, y)); });
            joined_[number].resize(grid.places());
            for (int i = 0; i < size(); ++i) {
                joined_[number][places[i]] = {places[(i + size() - 1) % size()], places[(i + 1) % size()]};
            }
        }
        walk_both();
    }

    const Cycle& places(int number) const { return places_[number]; }

    /// Whether one of them passes two cables between floors, a b and c d, in the same direction. It then gives these
    /// for a c and b d, with what is between them passed backwards.
    bool give(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
        for (const int number : {0, 1}) {
            const int way = direction(number, a, b);
            if (way == 0 || way != direction(number, c, d)) continue;
            replace(number, a, b, c, d);
            walk_both();
            return true;
        }
        return false;
    }

    /// Two squares exchange cables, if both cycles still pass all places then: one about the given floor, and another
    /// near it or anywhere. Whether they have.
    bool vary(int floor, std::minstd_rand& random) {
        const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
        const int column = below(columns()), first = floor + below(3) - 1;
        const bool near = below(2) == 0;
        const int other_column = column + below(near ? 4 : columns()),
                  second = first + (near ? below(3) - 1 : below(floors()));
        if (!exchange(column, first)) return false;
        const bool both = exchange(other_column, second);
        if (both && walk_both()) return true;
        if (both) exchange(other_column, second);
        exchange(column, first);
        if (both) walk_both();
        return false;
    }

private:
    int columns() const { return static_cast<int>(cycle_.size()); }
    int floors() const { return grid_.axes()[axis_].size; }
    int size() const { return columns() * floors(); }
    std::int32_t at(int column, int floor) const {
        return grid_.along(cycle_[column % columns()], axis_, (floor + floors()) % floors());
    }

    bool are_joined(int number, std::int32_t a, std::int32_t b) const {
        return joined_[number][a][0] == b || joined_[number][a][1] == b;
    }

    /// 1 if a cycle passes the second place next after the first, -1 if just before, 0 if neither.
    int direction(int number, std::int32_t from, std::int32_t to) const {
        if (!are_joined(number, from, to)) return 0;
        return (position_[number][from] + 1) % size() == position_[number][to] ? 1 : -1;
    }

    /// a b and c d by a c and b d.
    void replace(int number, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
        const auto instead = [&](std::int32_t of, std::int32_t was, std::int32_t is) {
            auto& both = joined_[number][of];
            both[both[0] == was ? 0 : 1] = is;
        };
        instead(a, b, c);
        instead(b, a, d);
        instead(c, d, a);
        instead(d, c, b);
    }

    /// The four cables of the square to the right of a column and above a floor, if two of each kind are of one cycle.
    bool exchange(int column, int floor) {
        const std::int32_t left = at(column, floor), right = at(column + 1, floor);
        const std::int32_t above_left = at(column, floor + 1), above_right = at(column + 1, floor + 1);
        for (const int number : {0, 1}) {
            const bool along = are_joined(number, left, right) && are_joined(number, above_left, above_right);
            if (!along || !are_joined(1 - number, left, above_left) || !are_joined(1 - number, right, above_right))
                continue;
            replace(number, left, right, above_left, above_right);
            replace(1 - number, left, above_left, right, above_right);
            return true;
        }
        return false;
    }

    /// Notes where each cycle passes each place. False if one of them comes back before it has passed all.
    bool walk_both() {
        for (const int number : {0, 1}) {
            Cycle& places = places_[number];
            places.clear();
            position_[number].resize(joined_[number].size());
            std::int32_t before = -1, now = cycle_[0];
            do {
                position_[number][now] = static_cast<std::int32_t>(places.size());
                places.push_back(now);
                const auto& next = joined_[number][now];
                before = std::exchange(now, next[next[0] == before ? 1 : 0]);
            } while (now != cycle_[0]);
            if (static_cast<int>(places.size()) < size()) return false;
        }
        return true;
    }

    const Grid& grid_;
    const Cycle& cycle_;
    const int axis_;
    std::array<std::vector<std::array<std::int32_t, 2>>, 2> joined_;  // by cycle and place
    std::array<Cycle, 2> places_;
    std::array<std::vector<std::int32_t>, 2> position_;
};

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
