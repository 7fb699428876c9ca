// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/fat_tree/switch_units.hpp"

#include "coll_topo/algorithm/stages/cost.hpp"

#include <algorithm>

namespace coll_topo {

int SwitchUnits::unit_of_rank(int level, int rank) const {
    switch (level) {
        case 0:
            return rank;
        case 1:
            return grid_.host(rank);
        case 2:
            return leaves_.leaf(grid_.host(rank));
        case 3:
            return leaves_.group(grid_.host(rank));
        default:
            return 0;
    }
}

int SwitchUnits::members(int level, int unit) const {
    switch (level) {
        case 1:
            return static_cast<int>(grid_.ranks_of_host(unit).size());
        case 2:
            return static_cast<int>(leaves_.hosts[unit].size());
        case 3:
            return static_cast<int>(leaves_.leaves[unit].size());
        default:
            return leaves_.leaves.parts();
    }
}

int SwitchUnits::member(int level, int unit, int index) const {
    switch (level) {
        case 1:
            return grid_.ranks_of_host(unit)[index];
        case 2:
            return leaves_.hosts[unit][index];
        case 3:
            return leaves_.leaves[unit][index];
        default:
            return index;
    }
}

int SwitchUnits::index(int level, int unit) const {
    switch (level) {
        case 0:
            return grid_.local_rank(unit);
        case 1:
            return leaves_.hosts.index(unit);
        case 2:
            return leaves_.leaves.index(unit);
        default:
            return unit;
    }
}

int SwitchUnits::most_members(int level) const {
    switch (level) {
        case 1:
            return grid_.most_ranks_per_host();
        case 2:
            return leaves_.hosts.largest();
        case 3:
            return leaves_.leaves.largest();
        default:
            return leaves_.leaves.parts();
    }
}

int SwitchUnits::representative(int level, int unit, int lane, int lanes) const {
    for (; level > 0; --level) {
        const int count = members(level, unit);
        const int chosen = lanes <= count ? lane * count / lanes : lane % count;
        unit = member(level, unit, chosen);
    }
    return unit;
}

bool ranks_follow_switches(const Grid& grid) {
    return std::ranges::is_sorted(grid.ranks_by_switches());
}

Program with_ranks(const Grid& grid, Program program) {
    for (Action& action : program.actions) {
        if (is_transfer(action)) action.peer = grid.ranks_by_switches()[action.peer];
    }
    return program;
}

Way way_at(const Grid& grid, int level) {
    if (level == 0) return {grid.costs().local_bandwidth, 0};
    return grid.leaves().way(static_cast<Reach>(level - 1));
}

int level_at_distance(const Grid& grid, int distance) {
    const LeafArrangement& leaves = grid.leaves();
    const int parts[] = {grid.ranks(), grid.hosts(), leaves.hosts.parts(), leaves.leaves.parts()};
    for (int level = SwitchUnits::machine - 1; level > 0; --level) {
        if (parts[level] > 1 && std::int64_t{distance} * parts[level] >= grid.ranks()) return level;
    }
    return 0;
}

}  // namespace coll_topo
