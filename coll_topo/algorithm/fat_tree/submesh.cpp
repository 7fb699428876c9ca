// SPDX-License-Identifier: BSD-3-Clause
//
// Submesh: allreduce, reduce and bcast of small vectors on a fat tree, one table after the other.
//
//     leaves:  A a1 a2   B b1 b2   C c1 c2      A, B, … are the representatives
//              D d1 d2   E e1 e2   F f1 f2
//
//     1  A <- a1, A <- a2, B <- b1, …           towards the representative of every leaf
//     2  A <-> D, B <-> E, C <-> F              along the columns
//     3  A, B, C; D, E, F                       along the rows
//     4  A -> a2, A -> a1, B -> b2, …           from the representative to its leaf
//
// Where several ranks share a host, tables inside hosts come before and after. Where leaves stand in no columns and
// rows, the leaves of a group make a table, and the groups another. A table whose size is 1 is dropped. Tables 2 and 3
// are Allreduce(n) of submesh_table.hpp. Table 1 could be too; it is a binomial reduce to the representative, which
// never takes more phases, and table 4 the same tree back. The last table there is, such as table 1 on a single leaf,
// is an Allreduce(n), so that none is needed back. A reduce takes the trees towards the root's leaf, column and row,
// a bcast takes them back.
//
// At most one message leaves a leaf at any time, and at most one arrives: no link between leaves and spines ever has
// two, whatever the order in which leaves end their tables. In deeper trees, columns and rows are only there if their
// tables are free of contention, and of a group one message leaves.
//
// Cost for m bytes: (o + latency + m/bandwidth + m/reduction) per phase of an allreduce; in a tree, short messages
// of a rank follow each other by o, and its longest way counts.
//
// Source: JP 6874564 B2. Needs: leaf switches. Combines in rank order where ranks follow hosts, rows and columns.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/submesh_levels.hpp"
#include "coll_topo/algorithm/fat_tree/submesh_table.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/grid/submesh_phases.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo::submesh {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

/// Sends that follow each other are a step, in which one waits for the other: they share the cable of the host, and the
/// first ones have the most phases before them.
constexpr int sends_at_once = 1;

void write(ProgramBuilder& builder, const Table& table, const std::vector<TablePhase>& phases) {
    for (const auto& [phase, partner, role] : phases) {
        const int peer = table.rank_of(partner);
        if (role != TableRole::send) builder.next_step();
        if (role == TableRole::exchange || role == TableRole::fold) {
            builder.receive_reduce(peer, vector_, partner < table.own ? Operand::left : Operand::right);
        }
        if (role == TableRole::exchange || role == TableRole::send) builder.send(peer, vector_);
        if (role == TableRole::take) builder.receive(peer, vector_);
        if (role != TableRole::send) builder.next_step();
    }
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const bool rooted = is_rooted(problem.collective);
    const std::vector<LevelSize> levels = levels_of(grid);
    const Tables tables(grid, rooted ? problem.root : -1);
    ProgramBuilder builder(1, 0);
    builder.lane(1, sends_at_once);
    std::vector<Table> back;  // from the outside in, those whose result one member has
    for (std::size_t index = 0; index < levels.size(); ++index) {
        const Table table = tables.table(levels[index].level, rank);
        if (!rooted && keeps_all(levels, index)) {
            write(builder, table, allreduce_table(table.members, table.own));
            continue;
        }
        if (problem.collective != Collective::bcast) {
            write(builder, table, reduce_table(table.members, table.own, table.root));
        }
        back.insert(back.begin(), table);
        if (table.own != table.root) break;
    }
    if (problem.collective != Collective::reduce) {
        for (const Table& table : back) write(builder, table, bcast_table(table.members, table.own, table.root));
    }
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (problem.collective == Collective::bcast) return true;
    if (is_rooted(problem.collective) && problem.root != 0) return false;
    const LeafArrangement& leaves = grid.leaves();
    int expected = 0;
    const auto follow = [&](int leaf) {
        for (const std::int32_t host : leaves.hosts[leaf]) {
            for (const std::int32_t rank : grid.ranks_of_host(host)) {
                if (rank != expected++) return false;
            }
        }
        return true;
    };
    if (leaves.columns > 0) return std::ranges::all_of(leaves.leaf_at, follow);
    for (int group = 0; group < leaves.leaves.parts(); ++group) {
        if (!std::ranges::all_of(leaves.leaves[group], follow)) return false;
    }
    return true;
}

/// The largest power of two below a number of members.
int longest_distance(int members) {
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(members)) / 2);
}

/// What a message takes, seconds.
struct Times {
    double first;   ///< from the begin of the send until it has arrived
    double shared;  ///< the same, if another one starts with it and ends at the same rank
    double next;    ///< from one send to the next
    double reduction;
};

Times times_of(const Grid& grid, Level level, double bytes) {
    const MachineCosts& costs = grid.costs();
    const double start = costs.message_time, reduction = bytes / costs.reduce_bandwidth;
    const double local = start + bytes / costs.local_bandwidth;
    const LeafArrangement& leaves = grid.leaves();
    const bool in_turn = bytes / leaves.way(Reach::leaf).bandwidth > start;  // else sends are not limited
    if (level == Level::host) return {local, local, in_turn ? local : start, reduction};
    const Way& way = leaves.way(level == Level::leaf    ? Reach::leaf
                                : level == Level::group ? Reach::group
                                                        : Reach::fabric);
    const double transfer = bytes / way.bandwidth, first = start + way.latency + transfer;
    return {first, first + std::max(0.0, transfer - start), in_turn ? first : start, reduction};
}

/// Seconds of a reduce over so many members, each of which has what it sends after `inner` seconds.
double reduce_seconds(int members, const Times& times, double inner) {
    if (members == 1) return inner;
    const int half = longest_distance(members);
    const double near = inner + std::countr_zero(static_cast<unsigned>(half)) * (times.first + times.reduction);
    const double far = reduce_seconds(members - half, times, inner) + times.first;
    // The few far ones are ready when the message from half as far is on its way.
    const double shared = 2 * (members - half) <= half ? times.shared - times.first : 0;
    return std::max(near, far) + shared + times.reduction;
}

/// Seconds of a bcast over so many members, each of which goes on for `inner` seconds when it has the data. The last of
/// 2^k members waits for k messages.
double bcast_seconds(int members, const Times& times, double inner) {
    if (members == 1) return inner;
    const int half = longest_distance(members);
    const double near = inner + std::countr_zero(static_cast<unsigned>(half)) * times.first;
    return std::max(times.next + near, times.first + bcast_seconds(members - half, times, inner));
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const std::vector<LevelSize> levels = levels_of(grid);
    double total = 0, back = 0;
    for (std::size_t index = 0; index < levels.size(); ++index) {
        const auto& [level, members] = levels[index];
        const Times times = times_of(grid, level, bytes);
        if (!is_rooted(problem.collective) && keeps_all(levels, index)) {
            total += allreduce_phases(members) * (times.first + times.reduction);
            continue;
        }
        if (problem.collective != Collective::bcast) total = reduce_seconds(members, times, total);
        if (problem.collective != Collective::reduce) back = bcast_seconds(members, times, back);
    }
    return total + back;
}

}  // namespace
}  // namespace coll_topo::submesh

namespace coll_topo::algorithms {

extern constinit const Algorithm submesh{
    .name = "submesh",
    .summary = "whole vectors under leaves, along columns and along rows of a fat tree; for small messages",
    .collectives = any({Collective::allreduce, Collective::reduce, Collective::bcast}),
    .network = Network::switches,
    .in_order = submesh::in_order,
    .seconds = submesh::seconds,
    .build = submesh::build,
};

}  // namespace coll_topo::algorithms
