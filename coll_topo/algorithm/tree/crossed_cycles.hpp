// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace coll_topo {

/// Two cycles past all places of a cycle crossed with an axis, whose places are floors, that share no cable: see
/// disjoint_cycles(). Squares of them may exchange cables. The grid and the cycle must outlive this.
class CrossedCycles {
public:
    using Cycle = std::vector<std::int32_t>;

    CrossedCycles(const Grid& grid, const Cycle& cycle, int axis);

    const Cycle& places(int number) const { return places_[number]; }

    /// Whether one of them passes two cables between floors, a b and c d, in the same direction. It then gives these
    /// for a c and b d, with what is between them passed backwards.
    bool give(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d);

    /// Two squares exchange cables, if both cycles still pass all places then: one about the given floor, and another
    /// near it or anywhere. Whether they have.
    bool vary(int floor, std::minstd_rand& random);

private:
    int columns() const { return static_cast<int>(cycle_.size()); }
    int floors() const { return grid_.axes()[axis_].size; }
    int size() const { return columns() * floors(); }
    std::int32_t at(int column, int floor) const;
    bool are_joined(int number, std::int32_t a, std::int32_t b) const;
    int direction(int number, std::int32_t from, std::int32_t to) const;
    void replace(int number, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d);
    bool exchange(int column, int floor);
    bool walk_both();

    const Grid& grid_;
    const Cycle& cycle_;
    const int axis_;
    std::array<std::vector<std::array<std::int32_t, 2>>, 2> joined_;  // by cycle and place
    std::array<Cycle, 2> places_;
    std::array<std::vector<std::int32_t>, 2> position_;
};

}  // namespace coll_topo
