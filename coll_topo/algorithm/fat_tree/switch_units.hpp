// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/program.hpp"

namespace coll_topo {

/// The ranks of a grid on switches as units within units: ranks (level 0) in hosts (1), hosts under leaves (2), leaves
/// in groups (3), groups in the one machine (4). A unit of a level above 0 has one or more members of the level below.
/// Every query takes constant time. The grid must outlive it and have a leaf arrangement.
class SwitchUnits {
public:
    static constexpr int machine = 4;  ///< the level of the whole

    explicit SwitchUnits(const Grid& grid) : grid_(grid), leaves_(grid.leaves()) {}

    /// The unit of a level that a rank is in.
    int unit_of_rank(int level, int rank) const;

    /// Of a unit of a level above 0.
    int members(int level, int unit) const;
    int member(int level, int unit, int index) const;
    /// The number of a unit of a level below `machine` among the members of the unit that it is in.
    int index(int level, int unit) const;
    /// Members of the unit of a level above 0 that has the most.
    int most_members(int level) const;

    /// The rank that represents a unit in one of the lanes: that of its member number lane·d / lanes of d, so that
    /// lanes share the members evenly.
    int representative(int level, int unit, int lane, int lanes) const;

private:
    const Grid& grid_;
    const LeafArrangement& leaves_;
};

/// Whether Grid::ranks_by_switches() is ascending.
bool ranks_follow_switches(const Grid& grid);
/// A program whose peers are numbers in that order, with ranks instead.
Program with_ranks(const Grid& grid, Program program);

/// The route of a message between two members of a unit of `level` + 1.
Way way_at(const Grid& grid, int level);
/// The level at whose members most messages arrive that go `distance` ranks further in Grid::ranks_by_switches().
int level_at_distance(const Grid& grid, int distance);

}  // namespace coll_topo
