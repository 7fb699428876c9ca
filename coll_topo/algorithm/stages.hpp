// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/placement/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Ranks that differ only in one digit of one coordinate: the groups in which a stage exchanges data.
///
/// An axis of size 12 = 2·2·3 makes three stages; x = 7 has the digits 1, 1, 1:
///
///     stride 1, radix 2:  (0 1) (2 3) (4 5) (6 7) (8 9) (10 11)
///     stride 2, radix 2:  (0 2) (1 3) (4 6) (5 7) (8 10) (9 11)
///     stride 4, radix 3:  (0 4 8) (1 5 9) (2 6 10) (3 7 11)
///
/// A group of a small radix exchanges directly, every member with every other. A group of a large prime would flood
/// the links that way and passes data round a ring instead.
struct Stage {
    int axis;
    int stride;
    int radix;

    static constexpr int largest_direct_radix = 7;
    bool direct() const { return radix <= largest_direct_radix; }
};

/// The way of one lane through the grid: its stages in the order of halving, and how it looks at coordinates.
/// Lane k starts with axis k mod D of the axes sorted by bandwidth, highest first; every other turn through the axes
/// is mirrored, so that two lanes that start with the same axis use different cables between neighbours.
class Route {
public:
    Route(const Grid& grid, int lane);

    const std::vector<Stage>& stages() const& { return stages_; }
    const std::vector<Stage>& stages() const&& = delete;  // a loop over a temporary's stages would outlive them

    /// The member a place is in its group of a stage, 0 .. radix-1.
    int member(int place, const Stage& stage) const;
    /// The place of another member of the same group.
    int place_of_member(int place, const Stage& stage, int member) const;

    /// Number of a place when its members of all stages are read as digits, first stage most significant: where its
    /// data lie after halving. And the inverse for all places.
    int position(int place) const;
    std::vector<std::int32_t> places_by_position() const;

    /// Places in the order of their digits, first stage least significant: the order in which operands are combined.
    std::vector<std::int32_t> places_by_operand() const;

private:
    int coordinate(int place, int axis) const;
    std::vector<std::int32_t> enumerate(bool first_stage_significant) const;

    struct AxisView {
        int size;
        int stride;  // in place numbers
        bool wrapped;
    };
    std::vector<AxisView> axes_;
    std::vector<Stage> stages_;
    int places_;
    bool mirrored_;
};

/// Messages on the busiest directed link while every group of the stage exchanges at once: an upper bound on a full
/// torus or mesh with one rank per host.
int link_load(const Stage& stage, const Axis& axis);

/// Whether every rank's number follows from its digits (board index lowest, then first stage … last stage) and every
/// group combines its members in ascending order, so that operands meet in rank order.
bool ranks_in_operand_order(const Grid& grid, const Route& route);

}  // namespace coll_topo
