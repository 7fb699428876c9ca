// SPDX-License-Identifier: BSD-3-Clause
//
// The ring in rank order: reduce_scatter, allgather, and both together as allreduce. A reference.
//
//     0 -> 1 -> 2 -> 3 -> 0      reduce-scatter, p-1 steps: block k starts at rank k+1 and gathers one operand at every
//                                rank until it is whole at rank k
//                                allgather, p-1 steps: block k starts at rank k and goes round
//
// two_way_ring.cpp sends blocks both ways at once, past half of the ranks each.
//
// Lanes cut every block into shares: a rank combines those of one lane while those of another travel. In an allreduce
// of four or more, the first ones gather while the last ones combine, if combining takes longer than the links.
//
// Cost for m bytes, with l the messages on the busiest link while every rank sends to the next:
//     (p-1) · max( mean of o + hops·latency + b/bandwidth + r, o + l·b/bandwidth + r ) for each half, with b = m/p and
//     r = b/reduction in the first; in K lanes (p-1) · max( mean for b/K, l·b/bandwidth, K·o + r ), less what of the
//     second passes during the first (combined_and_gathered_seconds).
//
// Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
// Needs: nothing. A block meets its operands from rank k+1 on, which is rank order for at most two ranks.

#include "coll_topo/algorithm/by_rank/ring.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/schedule/block_layout.hpp"

#include <algorithm>
#include <span>

namespace coll_topo::ring {
namespace {

/// Whether the blocks are parts of one vector, and stay in `output`.
bool one_vector(const Problem& problem) {
    return vector_form(problem.collective) == VectorForm::whole;
}

/// One lane of one rank: the steps of the blocks round the ring, and what leads to them and away.
class Lane {
public:
    Lane(ProgramBuilder& builder, const Problem& problem, RingWays ways, int rank, int ranks, int lane, int lanes)
        : builder_(builder),
          collective_(problem.collective),
          whole_(one_vector(problem)),
          root_(problem.root),
          rank_(rank),
          ranks_(ranks),
          forwards_(ways == RingWays::both ? ranks / 2 : ranks - 1),
          backwards_(ranks - 1 - forwards_),
          lane_(lane),
          lanes_(lanes) {}

    void write(const Orders& orders) {
        builder_.lane();
        if (!whole_) take_pieces();
        if (combines(collective_)) {
            go_along(orders.combining[lane_]);
            reduce_scatter();
        }
        if (has_allgather(collective_)) {
            go_along(orders.gathering[lane_]);
            allgather();
        }
        if (collective_ == Collective::reduce) gather_at_root();
        if (!whole_) give_pieces();
    }

private:
    void go_along(std::span<const std::int32_t> order) {
        order_ = order;
        own_ = static_cast<int>(std::ranges::find(order, rank_) - order.begin());
    }

    void reduce_scatter() {
        for (int step = 0; step < forwards_; ++step) {
            // How far away the owners of the blocks are that are sent.
            const int ahead = forwards_ - step, behind = backwards_ - step;
            receive_reduce(before(1), after(ahead - 1));
            if (behind > 0) receive_reduce(after(1), before(behind - 1));
            builder_.send(after(1), block(after(ahead)));
            if (behind > 0) builder_.send(before(1), block(before(behind)));
            builder_.next_step();
        }
    }

    void receive_reduce(int peer, int owner) {
        builder_.receive_reduce(peer, block(owner), peer < rank_ ? Operand::left : Operand::right);
    }

    void allgather() {
        for (int step = 0; step < forwards_; ++step) {
            const bool both = step < backwards_;
            builder_.receive(before(1), block(before(step + 1)));
            if (both) builder_.receive(after(1), block(after(step + 1)));
            builder_.send(after(1), block(before(step)));
            if (both) builder_.send(before(1), block(after(step)));
            builder_.next_step();
        }
    }

    /// Directly, so that no rank spends time on blocks of others. The root takes them one after the other, as far as
    /// receives are posted ahead: if all came at once, they would leave the rings of later lanes little of its links.
    void gather_at_root() {
        if (rank_ != root_) {
            builder_.send(root_, block(rank_));
            return;
        }
        for (int places = 1; places < ranks_; ++places) {
            builder_.receive(after(places), block(after(places)));
            builder_.next_step();
        }
    }

    /// All pieces, or only the own one.
    void take_pieces() {
        for (int rank = 0; rank < ranks_; ++rank) {
            if (combines(collective_) || rank == rank_) {
                builder_.copy(of_caller(Buffer::input, rank), Buffer::scratch, block(rank).first);
            }
        }
        builder_.next_step();
    }

    void give_pieces() {
        for (int rank = 0; rank < ranks_; ++rank) {
            if (!combines(collective_) || rank == rank_) {
                builder_.copy(block(rank), Buffer::output, of_caller(Buffer::output, rank).first);
            }
        }
        builder_.next_step();
    }

    /// The rank so many places before, less than there are ranks, or after.
    int before(int places) const { return order_[(own_ + ranks_ - places) % ranks_]; }
    int after(int places) const { return order_[(own_ + places) % ranks_]; }
    Blocks of_caller(Buffer buffer, int rank) const { return {buffer, rank * lanes_ + lane_, 1}; }
    Blocks block(int rank) const { return of_caller(whole_ ? Buffer::output : Buffer::scratch, rank); }

    ProgramBuilder& builder_;
    const Collective collective_;
    const bool whole_;
    const int root_;
    const int rank_;
    const int ranks_;
    const int forwards_;   // past how many ranks a block goes along the order
    const int backwards_;  // and the other way
    const int lane_;
    const int lanes_;
    std::span<const std::int32_t> order_;  // of the half that is being written
    int own_ = 0;                          // place in it
};

}  // namespace

Program build_in_orders(const Problem& problem, const Orders& orders, RingWays ways, int rank) {
    const auto& known = combines(problem.collective) ? orders.combining : orders.gathering;
    const int lanes = static_cast<int>(known.size()), ranks = static_cast<int>(known.front().size());
    const int blocks = ranks * lanes;
    const bool whole = one_vector(problem);
    ProgramBuilder builder(blocks, whole ? 0 : blocks);
    for (int lane = 0; lane < lanes; ++lane) Lane(builder, problem, ways, rank, ranks, lane, lanes).write(orders);
    return builder.finish(whole ? std::vector<std::int32_t>() : pieces_in_rank_order(blocks));
}

Program build_in_order(const Problem& problem, const RingOrder& order, int rank) {
    const std::vector lanes(problem.lanes, order);
    Program program = build_in_orders(problem, {lanes, lanes}, RingWays::one, rank);
    program.first_lanes_first = problem.collective == Collective::allreduce;
    return program;
}

std::vector<int> lane_counts(const Grid& grid, Collective) {
    // Ranks that also move what is for others of their host have no time to spare.
    if (grid.most_ranks_per_host() > 1) return {1, 2};
    return {1, 2, 4, 8};
}

double seconds_in_order(const Problem& problem, RankOrderCost cost, double bytes) {
    const double block = bytes / cost.ranks();
    RankOrderCost::RingSeconds combining, gathering;
    if (combines(problem.collective)) {
        combining = cost.ring(block, block / cost.machine().reduce_bandwidth, problem.lanes);
    }
    if (has_allgather(problem.collective)) gathering = cost.ring(block, 0, problem.lanes);
    if (problem.collective == Collective::allreduce) {
        return combined_and_gathered_seconds(combining.all, combining.idle, gathering.all, problem.lanes);
    }
    // Blocks are received where they belong, and operands read where they are. In an allgather ranks that wait for the
    // network copy their own piece meanwhile.
    const bool copies_late = problem.collective == Collective::allgather && cost.one_rank_per_host();
    return combining.all + gathering.all + (copies_late ? 0 : block / cost.machine().copy_bandwidth);
}

namespace {

Program build(const Grid& grid, const Problem& problem, int rank) {
    const std::vector lanes(1, pieces_in_rank_order(grid.ranks()));
    return build_in_orders(problem, {lanes, lanes}, RingWays::one, rank);
}

bool in_order(const Grid& grid, const Problem& problem) {
    return problem.collective == Collective::allgather || grid.ranks() <= 2;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_in_order(problem, RankOrderCost(grid), bytes);
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
