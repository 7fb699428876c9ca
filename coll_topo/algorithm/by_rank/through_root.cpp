// SPDX-License-Identifier: BSD-3-Clause
//
// Allreduce, allgather and reduce_scatter through rank 0, in as few messages as there can be: 2(p - 1). References.
//
//     allreduce        0 <- 1, 2, 3 …  a vector each       then   0 -> 1, 2, 3 …  the result
//     allgather        0 <- 1, 2, 3 …  a piece each        then   0 -> 1, 2, 3 …  all pieces
//     reduce_scatter   0 <- 1, 2, 3 …  a vector each       then   0 -> 1, 2, 3 …  a piece each
//
// By doubling, each rank sends log2 p messages, p·log2 p in all. That is faster on all but computers whose processors
// all ranks share, where every message of any rank takes time of the others.
//
// Cost for m bytes: those of reduce and bcast, of gather and bcast, or of reduce and scatter, in linear.cpp.
//
// Source: allreduce, allgather and reduce_scatter of Open MPI's basic component. Combines in rank order.

#include "coll_topo/algorithm/by_rank/linear.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

namespace coll_topo::algorithms {
namespace {

Blocks all_of(int ranks) {
    return {Buffer::scratch, 0, ranks};
}

Blocks piece_of(int rank) {
    return {Buffer::scratch, rank, 1};
}

constexpr Blocks vector_{Buffer::output, 0, 1};

/// Rank 0 adds the operands of all others to its own.
void write_reduce(ProgramBuilder& builder, int ranks, Blocks operand) {
    for (int other = 1; other < ranks; ++other) {
        builder.receive_reduce(other, operand, Operand::right);
        builder.next_step();
    }
}

void write_allreduce(ProgramBuilder& builder, int ranks, int rank) {
    if (rank != 0) {
        builder.send(0, vector_);
        builder.next_step();
        builder.receive(0, vector_);
    } else {
        write_reduce(builder, ranks, vector_);
        for (int other = 1; other < ranks; ++other) builder.send(other, vector_);
    }
}

void write_allgather(ProgramBuilder& builder, int ranks, int rank) {
    take_own_piece(builder, rank);
    if (rank != 0) {
        builder.send(0, piece_of(rank));
        builder.next_step();
        builder.receive(0, all_of(ranks));
    } else {
        for (int other = 1; other < ranks; ++other) builder.receive(other, piece_of(other));
        builder.next_step();
        for (int other = 1; other < ranks; ++other) builder.send(other, all_of(ranks));
    }
    give_all_pieces(builder, ranks);
}

void write_reduce_scatter(ProgramBuilder& builder, int ranks, int rank) {
    take_all_pieces(builder, ranks);
    if (rank != 0) {
        builder.send(0, all_of(ranks));
        builder.next_step();
        builder.receive(0, piece_of(rank));
    } else {
        write_reduce(builder, ranks, all_of(ranks));
        for (int other = 1; other < ranks; ++other) builder.send(other, piece_of(other));
    }
    give_own_piece(builder, rank);
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const int ranks = grid.ranks();
    if (problem.collective == Collective::allreduce) {
        ProgramBuilder builder(1, 0);
        builder.lane();
        write_allreduce(builder, ranks, rank);
        return builder.finish();
    }
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    if (problem.collective == Collective::allgather) {
        write_allgather(builder, ranks, rank);
    } else {
        write_reduce_scatter(builder, ranks, rank);
    }
    return builder.finish(pieces_in_rank_order(ranks));
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (problem.collective == Collective::allreduce) {
        return linear::reduce_seconds(grid, 0, bytes) + linear::send_seconds(grid, 0, bytes);
    }
    const double piece = bytes / grid.ranks(), copy = grid.costs_together().copy_bandwidth;
    if (problem.collective == Collective::allgather) {
        return linear::gather_seconds(grid, 0, piece) + linear::send_seconds(grid, 0, bytes) + piece / copy;
    }
    return bytes / copy + linear::reduce_seconds(grid, 0, bytes) + linear::send_seconds(grid, 0, piece) + piece / copy;
}

}  // namespace

extern constinit const Algorithm through_root{
    .name = "through_root",
    .summary = "reference: to rank 0 and back, in as few messages as there can be",
    .collectives = any(
        {Collective::allreduce, Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::allgather}),
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
