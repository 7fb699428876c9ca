// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/crossed_cycles.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

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

}  // namespace

CrossedCycles::CrossedCycles(const Grid& grid, const Cycle& cycle, int axis) : grid_(grid), cycle_(cycle), axis_(axis) {
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

bool CrossedCycles::give(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    for (const int number : {0, 1}) {
        const int way = direction(number, a, b);
        if (way == 0 || way != direction(number, c, d)) continue;
        replace(number, a, b, c, d);
        walk_both();
        return true;
    }
    return false;
}

bool CrossedCycles::vary(int floor, std::minstd_rand& random) {
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

std::int32_t CrossedCycles::at(int column, int floor) const {
    return grid_.along(cycle_[column % columns()], axis_, (floor + floors()) % floors());
}

bool CrossedCycles::are_joined(int number, std::int32_t a, std::int32_t b) const {
    return joined_[number][a][0] == b || joined_[number][a][1] == b;
}

/// 1 if a cycle passes the second place next after the first, -1 if just before, 0 if neither.
int CrossedCycles::direction(int number, std::int32_t from, std::int32_t to) const {
    if (!are_joined(number, from, to)) return 0;
    return (position_[number][from] + 1) % size() == position_[number][to] ? 1 : -1;
}

/// a b and c d by a c and b d.
void CrossedCycles::replace(int number, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
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
bool CrossedCycles::exchange(int column, int floor) {
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
bool CrossedCycles::walk_both() {
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

}  // namespace coll_topo
