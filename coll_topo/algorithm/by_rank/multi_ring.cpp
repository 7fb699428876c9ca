// SPDX-License-Identifier: BSD-3-Clause
//
// Several rings at once, for hosts of several ranks: allreduce, reduce_scatter, allgather.
//
//     through hosts:  a0 -> a1 -> a2  =>  b0 -> b1 -> b2  =>  c0 …      -> within a host: a rank moves it
//     past hosts:     a0  =>  b0  =>  c0  =>  a1  =>  b1  =>  c1 …      => over the network, which moves it
//
// A ring through hosts crosses the network once a host, and what a rank gets it copies itself but for the rank where
// the ring enters: so each ring enters hosts at another one. A ring past hosts takes as much of the network as the host
// has ranks, but nothing of their time. As many rings are past hosts as make links and ranks busy alike for long
// vectors, none where the network is much slower than what the ranks of a host move.
//
// Allreduce: each lane is a ring, every second one the other way round. Reduce_scatter and allgather, whose pieces are
// where they belong only in one lane, have two rings: of each piece so many eighths go past hosts, and the rest goes
// through them the other way, so that no rank has two messages for the same one.
//
// Cost for p ranks, m bytes, each half: (p-1) times the longest of
//     o + latency + m/(K·p)·(1/bandwidth or 1/local, and 1/reduction): a block on its way, in K rings,
//     what the busiest link carries of m/p, and what a rank starts, moves and combines of it.
//
// Source: rings as in Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 69(2), 2009; several that enter hosts in different places as in NVIDIA's NCCL; to weigh the network against memory is
// ours. Needs: hosts with several ranks, and for pieces three hosts. Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coll_topo::algorithms {
namespace {

/// A ring, and of all data the share that goes round it.
struct Ring {
    RingOrder order;
    double share;
};

/// Blocks of a piece.
constexpr int eighths = 8;

bool is_whole(const Problem& problem) {
    return problem.collective == Collective::allreduce;
}

/// `past` of the lanes, or of the eighths of a piece, go past hosts.
std::vector<Ring> rings_of(const RingOrders& orders, const Problem& problem, int past) {
    if (!is_whole(problem)) {
        const double share = static_cast<double>(past) / eighths;
        return {{orders.past_hosts(true), share}, {orders.through_hosts(0, 1, false), 1 - share}};
    }
    std::vector<Ring> rings;
    for (RingOrder& order : orders.of_lanes(problem.lanes, past)) {
        rings.push_back({std::move(order), 1.0 / problem.lanes});
    }
    return rings;
}

/// Seconds of the steps of one half, for blocks of so many bytes, `work` seconds of a rank for each of them, and `late`
/// of these when all that a step brings has come.
double half_seconds(const Grid& grid, const std::vector<Ring>& rings, double block, double work, double late) {
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    double longest = 0;
    for (const Ring& ring : rings) {
        if (ring.share == 0) continue;
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int from = ring.order[i], to = ring.order[(i + 1) % ranks];
            cost.message(from, to, ring.share * block);
            ways += cost.alone(from, to, ring.share * block) + ring.share * work;
        }
        longest = std::max(longest, ways / ranks);
    }
    const RankOrderCost::Pace busiest = cost.take();
    return (ranks - 1) * std::max(longest, std::max(busiest.transfer, busiest.work + work - late) + late);
}

double seconds_of(const Grid& grid, const Problem& problem, const std::vector<Ring>& rings, double bytes) {
    const MachineCosts costs = grid.costs_together();
    const double block = bytes / grid.ranks();
    double seconds = is_whole(problem) ? 0 : block / costs.copy_bandwidth;
    if (combines(problem.collective)) {
        const double work = block / costs.reduce_bandwidth;
        seconds += half_seconds(grid, rings, block, work, is_whole(problem) ? 0 : rings.front().share * work);
    }
    if (has_allgather(problem.collective)) seconds += half_seconds(grid, rings, block, 0, 0);
    return seconds;
}

/// The rings with which a long vector takes least time.
std::vector<Ring> best_rings(const Grid& grid, const Problem& problem) {
    constexpr double long_vector = 1 << 30;
    const RingOrders orders(grid);
    const int past = best_past(is_whole(problem) ? problem.lanes : eighths, [&](int count) {
        return seconds_of(grid, problem, rings_of(orders, problem, count), long_vector);
    });
    return rings_of(orders, problem, past);
}

/// One of the two rings of reduce_scatter and allgather, as one rank has it. Its blocks are cuts [first, first + count)
/// of the pieces.
class PieceRing {
public:
    PieceRing(const RingOrder& order, int rank, int first, int count)
        : order_(order),
          own_(static_cast<int>(std::ranges::find(order, rank) - order.begin())),
          first_(first),
          count_(count) {}

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
    Blocks block(int rank) const { return {Buffer::scratch, rank * eighths + first_, count_}; }

    const RingOrder& order_;
    const int own_;
    const int first_;
    const int count_;
};

Program build_pieces(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks(), blocks = ranks * eighths;
    const std::vector<Ring> rings = best_rings(grid, problem);
    const int past = static_cast<int>(rings[0].share * eighths);
    const PieceRing past_hosts(rings[0].order, rank, 0, past), through(rings[1].order, rank, past, eighths - past);
    const bool reduces = combines(problem.collective);
    const Blocks own{Buffer::scratch, rank * eighths, eighths}, all{Buffer::scratch, 0, blocks};
    const Blocks begin = reduces ? all : own, end = reduces ? own : all;
    ProgramBuilder builder(blocks, blocks);
    builder.lane();
    builder.copy({Buffer::input, begin.first, begin.count}, Buffer::scratch, begin.first);
    builder.next_step();
    for (int step = 1; step < ranks; ++step) {
        for (const PieceRing& ring : {through, past_hosts})
            reduces ? ring.reduce(builder, step) : ring.gather(builder, step);
        builder.next_step();
    }
    builder.copy(end, Buffer::output, end.first);
    return builder.finish(pieces_in_rank_order(blocks));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    if (!is_whole(problem)) return build_pieces(grid, problem, rank);
    std::vector<RingOrder> orders;
    for (Ring& ring : best_rings(grid, problem)) orders.push_back(std::move(ring.order));
    return ring::build_in_orders(orders, rank);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_of(grid, problem, best_rings(grid, problem), bytes);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    // With more, the steps of a ring take longer than anything else.
    constexpr int most_ranks = 1 << 13;
    if (grid.most_ranks_per_host() == 1) return "one rank on each host";
    if (grid.ranks() > most_ranks) return "made for at most " + std::to_string(most_ranks) + " ranks";
    if (is_whole(problem)) return problem.lanes > 1 ? "" : "with one lane it is a single ring";
    if (problem.lanes > 1) return "pieces stay where they belong in one lane only";
    return grid.hosts() > 2 ? "" : "made for three hosts and more";
}

std::vector<int> lane_counts(const Grid&) {
    return {4};
}

}  // namespace

extern constinit const Algorithm multi_ring{
    .name = "multi_ring",
    .summary =
        "rings that enter hosts at different ranks, or pass them; for long vectors on few hosts of several ranks",
    .collectives = with_reduce_scatter_and_allgather,
    .uses_lanes = true,
    .spreads = true,
    .lane_counts = lane_counts,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
