// SPDX-License-Identifier: BSD-3-Clause
//
// The ring in rank order: reduce_scatter, allgather, and both together as allreduce. A reference.
//
//     0 -> 1 -> 2 -> 3 -> 0      reduce-scatter, p-1 steps: block k starts at rank k+1 and gathers one operand at every
//                                rank until it is whole at rank k
//                                allgather, p-1 steps: block k starts at rank k and goes round
//
// Cost for m bytes, with l the messages on the busiest link while every rank sends to the next:
//     (p-1) · ( o + hops·latency + l·m/(p·bandwidth) )  for each half, and (p-1)/p·m/reduction.
//
// Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
// Needs: nothing. A block meets its operands from rank k+1 on, which is rank order for at most two ranks.

#include "coll_topo/algorithm/by_rank/ring.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/piece_scratch.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"

namespace coll_topo::ring {
namespace {

/// The steps of the blocks round the ring, block k in block k of `buffer`.
class RingSteps {
public:
    RingSteps(ProgramBuilder& builder, Buffer buffer, int ranks, int rank)
        : builder_(builder), buffer_(buffer), ranks_(ranks), rank_(rank) {}

    void reduce_scatter() {
        const Operand received_stands = previous() < rank_ ? Operand::left : Operand::right;
        for (int step = 1; step < ranks_; ++step) {
            builder_.receive_reduce(previous(), block(step + 1), received_stands);
            builder_.send(next(), block(step));
            builder_.next_step();
        }
    }

    void allgather() {
        for (int step = 0; step < ranks_ - 1; ++step) {
            builder_.receive(previous(), block(step + 1));
            builder_.send(next(), block(step));
            builder_.next_step();
        }
    }

private:
    int next() const { return (rank_ + 1) % ranks_; }
    int previous() const { return (rank_ + ranks_ - 1) % ranks_; }
    /// The block of the rank so many ranks before.
    Blocks block(int before) const { return {buffer_, (rank_ + ranks_ - before % ranks_) % ranks_, 1}; }

    ProgramBuilder& builder_;
    const Buffer buffer_;
    const int ranks_;
    const int rank_;
};

}  // namespace

Program build_allreduce_in_order(int ranks, int number) {
    ProgramBuilder builder(ranks, 0);
    builder.lane();
    RingSteps steps(builder, Buffer::output, ranks, number);
    steps.reduce_scatter();
    steps.allgather();
    return builder.finish();
}

double allreduce_seconds_in_order(RankOrderCost cost, double bytes) {
    const int ranks = cost.ranks();
    return 2 * (ranks - 1) * cost.shift(1, bytes / ranks) +
           bytes * (ranks - 1) / ranks / cost.machine().reduce_bandwidth;
}

namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks();
    if (problem.collective == Collective::allreduce) return build_allreduce_in_order(ranks, rank);
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    RingSteps steps(builder, Buffer::scratch, ranks, rank);
    if (problem.collective == Collective::allgather) {
        take_own_piece(builder, rank);
        steps.allgather();
        give_all_pieces(builder, ranks);
    } else {
        take_all_pieces(builder, ranks);
        steps.reduce_scatter();
        give_own_piece(builder, rank);
    }
    return builder.finish(pieces_in_rank_order(ranks));
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::allgather || grid.ranks() <= 2;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const int ranks = grid.ranks();
    if (problem.collective == Collective::allreduce) return allreduce_seconds_in_order(RankOrderCost(grid), bytes);
    const double half = (ranks - 1) * RankOrderCost(grid).shift(1, bytes / ranks);
    const double reduction = bytes * (ranks - 1) / ranks / grid.costs().reduce_bandwidth;
    const double copies = (1 + 1.0 / ranks) * bytes / grid.costs().copy_bandwidth;
    return half + copies + (problem.collective == Collective::allgather ? 0 : reduction);
}

}  // namespace

}  // namespace coll_topo::ring

namespace coll_topo::algorithms {

extern constinit const Algorithm ring{
    .name = "ring",
    .summary = "reference: blocks go round the ring of ranks",
    .collectives = with_reduce_scatter_and_allgather,
    .reference = true,
    .in_order = ring::in_order,
    .seconds = ring::seconds,
    .build = ring::build,
};

}  // namespace coll_topo::algorithms
