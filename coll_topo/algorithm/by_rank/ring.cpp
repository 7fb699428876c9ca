// SPDX-License-Identifier: BSD-3-Clause
//
// The ring in rank order: reduce_scatter, allgather, and both together as allreduce. A reference.
//
//     0 -> 1 -> 2 -> 3 -> 0      reduce-scatter, p-1 steps: block k starts at rank k+1 and gathers one operand at every
//                                rank until it is whole at rank k
//                                allgather, p-1 steps: block k starts at rank k and goes round
//
// Cost for m bytes, with l the messages on the busiest link while every rank sends to the next:
//     (p-1) · max( mean of o + hops·latency + b/bandwidth + r, o + l·b/bandwidth + r ) for each half, with b = m/p and
//     r = b/reduction in the first.
//
// Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
// Needs: nothing. A block meets its operands from rank k+1 on, which is rank order for at most two ranks.

#include "coll_topo/algorithm/by_rank/ring.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

namespace coll_topo::ring {
namespace {

/// The steps of the blocks round the ring, the block of each rank in the one of its number of `buffer`.
class RingSteps {
public:
    RingSteps(ProgramBuilder& builder, Buffer buffer, std::span<const std::int32_t> order, int own)
        : builder_(builder), buffer_(buffer), order_(order), own_(own) {}

    void reduce_scatter() {
        const Operand received_stands = before(1) < before(0) ? Operand::left : Operand::right;
        for (int step = 1; step < ranks(); ++step) {
            builder_.receive_reduce(before(1), block(step + 1), received_stands);
            builder_.send(next(), block(step));
            builder_.next_step();
        }
    }

    void allgather() {
        for (int step = 0; step < ranks() - 1; ++step) {
            builder_.receive(before(1), block(step + 1));
            builder_.send(next(), block(step));
            builder_.next_step();
        }
    }

private:
    int ranks() const { return static_cast<int>(order_.size()); }
    int next() const { return order_[(own_ + 1) % ranks()]; }
    /// The rank so many places before.
    int before(int places) const { return order_[(own_ + ranks() - places % ranks()) % ranks()]; }
    Blocks block(int places) const { return {buffer_, before(places), 1}; }

    ProgramBuilder& builder_;
    const Buffer buffer_;
    const std::span<const std::int32_t> order_;
    const int own_;
};

}  // namespace

Program build_in_order(Collective collective, std::span<const std::int32_t> order, int own) {
    const int ranks = static_cast<int>(order.size());
    const bool vector = collective == Collective::allreduce;
    ProgramBuilder builder(ranks, vector ? 0 : ranks);
    builder.lane();
    RingSteps steps(builder, vector ? Buffer::output : Buffer::scratch, order, own);
    if (!vector && combines(collective)) take_all_pieces(builder, ranks);
    if (collective == Collective::allgather) take_own_piece(builder, order[own]);
    if (combines(collective)) steps.reduce_scatter();
    if (has_allgather(collective)) steps.allgather();
    if (!vector && combines(collective)) give_own_piece(builder, order[own]);
    if (collective == Collective::allgather) give_all_pieces(builder, ranks);
    return builder.finish(vector ? std::vector<std::int32_t>{} : pieces_in_rank_order(ranks));
}

double seconds_in_order(Collective collective, RankOrderCost cost, double bytes) {
    const double ranks = cost.ranks(), block = bytes / ranks;
    double seconds = 0;
    if (combines(collective)) seconds += cost.ring(block, block / cost.machine().reduce_bandwidth);
    if (has_allgather(collective)) seconds += cost.ring(block, 0);
    if (collective == Collective::allreduce) return seconds;
    const double copied = collective == Collective::allgather ? block : bytes + block;
    return seconds + copied / cost.machine().copy_bandwidth;
}

namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_in_order(problem.collective, pieces_in_rank_order(grid.ranks()), rank);
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::allgather || grid.ranks() <= 2;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_in_order(problem.collective, RankOrderCost(grid), bytes);
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
