// SPDX-License-Identifier: BSD-3-Clause
//
// Several rings at once, along cycles of a torus that share no cable, and for hosts of several ranks: allreduce,
// reduce_scatter, allgather.
//
//     visiting hosts once:        a0 -> a1 -> a2  =>  b0 -> b1 -> b2  =>  c0 …     -> within a host: a rank moves it
//     as often as it has ranks:   a0  =>  b0  =>  c0  =>  a1  =>  b1  =>  c1 …     => over the network, which moves it
//
// What a rank gets from its host it copies itself, so each ring enters hosts at another one. A ring that visits hosts
// more often takes as much more of the network, and less of the ranks' time: as many visits as make links and ranks
// busy alike for long vectors, one where the network is much slower than what the ranks of a host move.
//
// Every second ring is the one before it backwards. Allreduce: each lane is a ring. Reduce_scatter and allgather, whose
// pieces are where they belong only in one lane, have a ring for each direction of each cycle and cut pieces as often;
// no rank may then have two messages for the same one.
//
// Cost for p ranks, m bytes, K rings, each half: (p-1) times the longest of
//     o + latency + m/(K·p)·(1/bandwidth or 1/local, and 1/reduction): a block on its way,
//     what the busiest link carries of m/p, and what a rank starts, moves and combines of it.
//
// Source: rings as in Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 69(2), 2009; several that enter hosts in different places as in NVIDIA's NCCL; to weigh the network against memory is
// ours. Needs: hosts with several ranks or two cycles (disjoint_cycles.hpp), and for pieces three hosts. Combines out
// of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::algorithms {
namespace {

bool is_whole(const Problem& problem) {
    return problem.collective == Collective::allreduce;
}

/// Seconds of the steps of one half, for blocks of so many bytes, `work` seconds of a rank for each of them, and `late`
/// of these when all that a step brings has come.
double half_seconds(const Grid& grid, const std::vector<RingOrder>& rings, double block, double work, double late) {
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    const double share = 1.0 / static_cast<double>(rings.size());
    double longest = 0;
    for (const RingOrder& ring : rings) {
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int from = ring[i], to = ring[(i + 1) % ranks];
            cost.message(from, to, share * block);
            ways += cost.alone(from, to, share * block) + share * work;
        }
        longest = std::max(longest, ways / ranks);
    }
    const RankOrderCost::Pace busiest = cost.take();
    return (ranks - 1) * std::max(longest, std::max(busiest.transfer, busiest.work + work - late) + late);
}

double seconds_of(const Grid& grid, const Problem& problem, const std::vector<RingOrder>& rings, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const double block = bytes / grid.ranks();
    double seconds = is_whole(problem) ? 0 : block / costs.copy_bandwidth;
    if (combines(problem.collective)) {
        const double work = block / costs.reduce_bandwidth;
        seconds +=
            half_seconds(grid, rings, block, work, is_whole(problem) ? 0 : work / static_cast<double>(rings.size()));
    }
    if (has_allgather(problem.collective)) seconds += half_seconds(grid, rings, block, 0, 0);
    return seconds;
}

/// What may serve the problem.
std::vector<RingSet> sets(const RingOrders& orders, const Problem& problem) {
    if (is_whole(problem)) return orders.sets(problem.lanes);
    std::vector<RingSet> all;
    for (int rings = 2; rings <= orders.directed_cycles(); rings += 2) {
        for (RingSet set : orders.sets(rings)) {
            all.push_back(set);
            ++set.shift;
            if (rings > 2) all.push_back(set);
        }
    }
    return all;
}

/// The rings with which a long vector takes least time.
std::vector<RingOrder> best_rings(const Grid& grid, const Problem& problem) {
    constexpr double long_vector = 1 << 30;
    const RingOrders orders(grid);
    std::vector<RingOrder> best;
    double least = 0;
    for (const RingSet& set : sets(orders, problem)) {
        std::vector<RingOrder> rings = orders.rings(set);
        if (!is_whole(problem) && !have_different_neighbours(rings)) continue;
        const double seconds = seconds_of(grid, problem, rings, long_vector);
        if (!best.empty() && seconds >= least) continue;
        least = seconds;
        best = std::move(rings);
    }
    return best;
}

/// One of the rings of reduce_scatter and allgather, as one rank has it: its blocks are one cut of the pieces.
class PieceRing {
public:
    PieceRing(const RingOrder& order, int rank, int cut, int cuts)
        : order_(order),
          own_(static_cast<int>(std::ranges::find(order, rank) - order.begin())),
          cut_(cut),
          cuts_(cuts) {}

    void reduce(ProgramBuilder& builder, int step) const {
        const Operand side = before(1) < before(0) ? Operand::left : Operand::right;
        builder.receive_reduce(before(1), block(before(step + 1)), side);
        builder.send(before(-1), block(before(step)));
    }
    void gather(ProgramBuilder& builder, int step) const {
        builder.receive(before(1), block(before(step)));
        builder.send(before(-1), block(before(step - 1)));
    }

private:
    /// The rank so many places before.
    int before(int places) const {
        const int ranks = static_cast<int>(order_.size());
        return order_[(own_ + 2 * ranks - places) % ranks];
    }
    Blocks block(int rank) const { return {Buffer::scratch, rank * cuts_ + cut_, 1}; }

    const RingOrder& order_;
    const int own_;
    const int cut_;
    const int cuts_;
};

Program build_pieces(const std::vector<RingOrder>& orders, bool reduces, int rank) {
    const int ranks = static_cast<int>(orders.front().size()), cuts = static_cast<int>(orders.size());
    std::vector<PieceRing> rings;
    for (int cut = 0; cut < cuts; ++cut) rings.emplace_back(orders[cut], rank, cut, cuts);
    const Blocks own{Buffer::scratch, rank * cuts, cuts}, all{Buffer::scratch, 0, ranks * cuts};
    const Blocks begin = reduces ? all : own, end = reduces ? own : all;
    ProgramBuilder builder(ranks * cuts, ranks * cuts);
    builder.lane();
    builder.copy({Buffer::input, begin.first, begin.count}, Buffer::scratch, begin.first);
    builder.next_step();
    for (int step = 1; step < ranks; ++step) {
        for (const PieceRing& ring : rings) reduces ? ring.reduce(builder, step) : ring.gather(builder, step);
        builder.next_step();
    }
    builder.copy(end, Buffer::output, end.first);
    return builder.finish(pieces_in_rank_order(ranks * cuts));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const std::vector<RingOrder> rings = best_rings(grid, problem);
    if (is_whole(problem)) return ring::build_in_orders(rings, rank);
    return build_pieces(rings, combines(problem.collective), rank);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_of(grid, problem, best_rings(grid, problem), bytes);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (std::string why = why_no_rings(grid); !why.empty()) return why;
    if (is_whole(problem)) return problem.lanes > 1 ? "" : "with one lane it is a single ring";
    if (problem.lanes > 1) return "pieces stay where they belong in one lane only";
    return grid.hosts() > 2 ? "" : "made for three hosts and more";
}

}  // namespace

extern constinit const Algorithm multi_ring{
    .name = "multi_ring",
    .summary = "rings that enter hosts at different ranks, or share no cable of a torus; for long vectors on few hosts",
    .collectives = with_reduce_scatter_and_allgather,
    .uses_lanes = true,
    .spreads = true,
    .lane_counts = rings_of_lanes,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
