// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

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
/// the links of a torus that way and passes data round a ring instead; through switches it is direct all the same.
struct Stage {
    int axis;
    int stride;
    int radix;
    bool direct;
    /// Of an odd radix on a ring: with the nearest places ahead and behind that have the other values of the digit,
    /// whatever their higher digits are, not with those of a fixed group.
    bool nearest = false;

    static constexpr int largest_direct_radix = 7;
};

/// The order in which a lane takes its stages, as it does in halving, and how it reads coordinates.
/// Lane k starts with axis k mod D of the axes sorted by bandwidth, highest first; every other turn through the axes
/// is mirrored, so that two lanes that start with the same axis use different cables between neighbours.
/// Through switches all lanes take the axes as they come, each that is not to be divided as one stage.
class StageOrder {
public:
    StageOrder(const Grid& grid, int lane);

    /// The order for whole vectors, which do not get shorter: all axes are cut into prime factors, and all hosts of a
    /// leaf see the same columns and rows, so that all ranks combine the operands in the same order.
    static StageOrder of_whole_vectors(const Grid& grid);

    /// The order of a lane on a torus with the distances of Swing: a stage of every axis in turn, and on rings of 2^k
    /// places step s joins places that are |(1 - (-2)^(s+1)) / 3| apart, 1, 1, 3, 5, 11, ... instead of 1, 2, 4, 8,
    /// 16. Other axes are cut into prime factors, those of rings with the odd ones first and among the nearest places.
    static StageOrder of_swing(const Grid& grid, int lane);
    /// The same for whole vectors, last stage first: then all ranks combine the operands in the same groups.
    static StageOrder of_swing_whole_vectors(const Grid& grid);
    /// The order of a lane through rings of whole axes, each one stage. Mirrored lanes go round the other way. Where an
    /// axis is no ring, its places make one that goes up over every other place and back over the rest, so that none
    /// of its neighbours are more than two apart.
    static StageOrder of_rings(const Grid& grid, int lane);

    /// The order in which positions are the numbers of places: all axes cut into prime factors, the last axis and the
    /// longest stride first.
    static StageOrder of_places(const Grid& grid);

    /// Whether the stages of an axis have the distances of Swing.
    bool swings(int axis) const { return !labels_.empty() && !labels_[axis].empty(); }
    /// How far apart the members of a group are, from one to the next.
    int spacing(const Stage& stage) const;

    const std::vector<Stage>& stages() const& { return stages_; }
    const std::vector<Stage>& stages() const&& = delete;  // a loop over a temporary's stages would outlive them

    /// The number of a place among the members of its group in a stage, 0 .. radix-1.
    int member(int place, const Stage& stage) const;
    /// The place of another member of the same group.
    int place_of_member(int place, const Stage& stage, int member) const;
    /// How many members ahead the partner is to which a place sends in turn 1 .. radix-1, equal in all of a group.
    /// Through switches, hosts of a leaf begin with different ones, so that they do not all use the same cable.
    int distance(int place, const Stage& stage, int turn) const;

    /// Number of a place when its members of all stages are read as digits, first stage most significant: where its
    /// data lie after halving. And the inverse for all places.
    int position(int place) const;
    std::vector<std::int32_t> places_by_position() const;

    /// Through switches: how many positions each place of a line of the first axis has after the stages of this axis,
    /// the first of them, and the places of the line.
    int first_share_width() const;
    int first_share(int place) const { return position(place) / first_share_width() * first_share_width(); }
    std::vector<std::int32_t> first_line(int place) const;

    /// Places in the order of their digits, first stage least significant: the order in which operands are combined.
    std::vector<std::int32_t> places_by_operand() const;

private:
    enum class Division { where_it_helps, into_primes, odd_primes_first, into_rings };
    StageOrder(const Grid& grid, int lane, Division division);
    static StageOrder of_swing(const Grid& grid, int lane, Division division);

    /// What the digits of an axis are taken from.
    int label(int coordinate, int axis) const { return swings(axis) ? labels_[axis][coordinate] : coordinate; }
    void swing_on(int axis);
    void take_axes_in_turn();

    int coordinate(int place, int axis) const;
    std::vector<std::int32_t> enumerate(bool first_stage_significant) const;

    struct AxisView {
        int size;
        int stride;  // in place numbers
        bool wrapped;
        bool folded;  // counted up over every other place and back over the rest

        /// The inverse of itself.
        int mirror(int coordinate, bool mirrored) const;
    };
    std::vector<AxisView> axes_;
    std::vector<Stage> stages_;
    std::vector<std::vector<std::int32_t>> labels_;  // of_swing: by axis and coordinate; none: the coordinates
    const Grid* grid_;
    bool mirrored_;
    bool same_for_all_hosts_;  // of a leaf of a skewed grid
};

/// Messages on the busiest directed link while every group of the stage exchanges at once: an upper bound on a full
/// torus or mesh with one rank per host. Through switches, those of a host; its share of other cables is counted in the
/// bandwidth of the axis.
int link_load(const Stage& stage, const Axis& axis);

/// Whether every rank's number follows from its digits (local rank lowest, then first stage … last stage) and every
/// group combines its members in ascending order, so that operands meet in rank order.
bool ranks_in_operand_order(const Grid& grid, const StageOrder& stage_order);

}  // namespace coll_topo
