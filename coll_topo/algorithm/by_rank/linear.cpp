// SPDX-License-Identifier: BSD-3-Clause
//
// Linear: bcast, reduce, gather and scatter directly between the root and everyone else, alltoall and allgather
// directly between all. References.
//
//     bcast   0 -> 1, 2, 3 …           alltoall   every rank r: -> r+1, r+2, …
//     reduce  0 <- 1, 2, 3 …           allgather                <- r-1, r-2, …
//
// All messages are posted at once; only the root of a reduce takes one operand after the other, since as many vectors
// as there are ranks would not fit in its memory.
//
// Cost for m bytes, with L the bytes on the busiest link under all messages:
//     (p-1)·o + hops·latency + L/bandwidth
// and of a reduce, with r = m/reduction:
//     o + sum over all ranks of max( r, (hops·latency + m/bandwidth + r)/2 ), within the host all of it.
//
// Source: the basic linear algorithms of Open MPI's base collectives; its allgather goes through rank 0 instead.
// Combines in rank order, for any root: downwards from it, then upwards.

#include "coll_topo/algorithm/by_rank/linear.hpp"

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <algorithm>

namespace coll_topo::linear {

double send_seconds(const Grid& grid, int root, double bytes) {
    RankOrderCost cost(grid);
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        if (rank != root) cost.message(root, rank, bytes);
    }
    return cost.step();
}

double gather_seconds(const Grid& grid, int root, double piece) {
    // A few receives take no time that matters, but these are all the root's.
    return std::max(RankOrderCost(grid).gather(root, piece), (grid.ranks() - 1) * grid.costs().message_time);
}

/// The receive of a vector is posted while the one before is combined; those of its own host the root moves itself.
double reduce_seconds(const Grid& grid, int root, double bytes) {
    constexpr int receives_posted = 2;
    RankOrderCost cost(grid);
    const double start = cost.machine().message_time, reduction = bytes / cost.machine().reduce_bandwidth;
    double total = grid.ranks() > 1 ? start : 0;
    for (int rank = 0; rank < grid.ranks(); ++rank) {
        if (rank == root) continue;
        const double arrival = cost.alone(rank, root, bytes) - start;
        const bool local = grid.host(rank) == grid.host(root);
        total += local ? arrival + reduction : std::max(reduction, (arrival + reduction) / receives_posted);
    }
    return total;
}

}  // namespace coll_topo::linear

namespace coll_topo::algorithms {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

Program build_bcast(int ranks, int root, int rank) {
    ProgramBuilder builder(1, 0);
    builder.lane();
    if (rank != root) builder.receive(root, vector_);
    for (int turn = 1; rank == root && turn < ranks; ++turn) builder.send((root + turn) % ranks, vector_);
    return builder.finish();
}

Program build_reduce(int ranks, int root, int rank) {
    ProgramBuilder builder(1, 0);
    builder.lane();
    if (rank != root) {
        builder.send(root, vector_);
        return builder.finish();
    }
    for (int other = root - 1; other >= 0; --other) {
        builder.receive_reduce(other, vector_, Operand::left);
        builder.next_step();
    }
    for (int other = root + 1; other < ranks; ++other) {
        builder.receive_reduce(other, vector_, Operand::right);
        builder.next_step();
    }
    return builder.finish();
}

Program build_alltoall(int ranks, int rank) {
    ProgramBuilder builder(ranks, 0);
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::output, rank);
    for (int turn = 1; turn < ranks; ++turn) {
        const int to = (rank + turn) % ranks, from = (rank + ranks - turn) % ranks;
        builder.receive(from, {Buffer::output, from, 1});
        builder.send(to, {Buffer::input, to, 1});
    }
    return builder.finish();
}

Program build_allgather(int ranks, int rank) {
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    take_own_piece(builder, rank);
    for (int turn = 1; turn < ranks; ++turn) {
        const int to = (rank + turn) % ranks, from = (rank + ranks - turn) % ranks;
        builder.receive(from, {Buffer::scratch, from, 1});
        builder.send(to, {Buffer::scratch, rank, 1});
    }
    give_all_pieces(builder, ranks);
    return builder.finish(pieces_in_rank_order(ranks));
}

Program build_gather(int ranks, int root, int rank) {
    const bool is_root = rank == root;
    ProgramBuilder builder(ranks, is_root ? ranks : 1);
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::scratch, is_root ? rank : 0);
    if (!is_root) {
        builder.next_step();
        builder.send(root, {Buffer::scratch, 0, 1});
        return builder.finish({rank});
    }
    for (int turn = 1; turn < ranks; ++turn) {
        const int other = (root + turn) % ranks;
        builder.receive(other, {Buffer::scratch, other, 1});
    }
    give_all_pieces(builder, ranks);
    return builder.finish(pieces_in_rank_order(ranks));
}

Program build_scatter(int ranks, int root, int rank) {
    const bool is_root = rank == root;
    ProgramBuilder builder(ranks, is_root ? ranks : 1);
    builder.lane();
    if (is_root) take_all_pieces(builder, ranks);
    for (int turn = 1; is_root && turn < ranks; ++turn) {
        const int other = (root + turn) % ranks;
        builder.send(other, {Buffer::scratch, other, 1});
    }
    if (!is_root) builder.receive(root, {Buffer::scratch, 0, 1});
    builder.next_step();
    builder.copy({Buffer::scratch, is_root ? rank : 0, 1}, Buffer::output, rank);
    return builder.finish(is_root ? pieces_in_rank_order(ranks) : std::vector<std::int32_t>{rank});
}

double pieces_seconds(const Grid& grid, const Problem& problem, double bytes) {
    const double piece = bytes / grid.ranks();
    const double messages = problem.collective == Collective::gather ? linear::gather_seconds(grid, problem.root, piece)
                                                                     : linear::send_seconds(grid, problem.root, piece);
    return messages + piece / grid.costs().copy_bandwidth;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    switch (problem.collective) {
        case Collective::bcast:
            return build_bcast(grid.ranks(), problem.root, rank);
        case Collective::reduce:
            return build_reduce(grid.ranks(), problem.root, rank);
        case Collective::alltoall:
            return build_alltoall(grid.ranks(), rank);
        case Collective::gather:
            return build_gather(grid.ranks(), problem.root, rank);
        case Collective::scatter:
            return build_scatter(grid.ranks(), problem.root, rank);
        default:
            return build_allgather(grid.ranks(), rank);
    }
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (problem.collective == Collective::bcast) return linear::send_seconds(grid, problem.root, bytes);
    if (problem.collective == Collective::reduce) return linear::reduce_seconds(grid, problem.root, bytes);
    if (moves_pieces(problem.collective)) return pieces_seconds(grid, problem, bytes);
    const double exchange = RankOrderCost(grid).all_at_once(bytes / grid.ranks());
    return exchange + bytes / grid.ranks() / grid.costs_together().copy_bandwidth;
}

}  // namespace

extern constinit const Algorithm linear{
    .name = "linear",
    .summary = "reference: all messages at once, each from its first to its last rank",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::alltoall, Collective::allgather,
                        Collective::gather, Collective::scatter}),
    .receivers_at_once = ReceiversAtOnce::all,
    .reference = true,
    .direct = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
