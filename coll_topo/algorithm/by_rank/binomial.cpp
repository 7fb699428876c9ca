// SPDX-License-Identifier: BSD-3-Clause
//
// Binomial trees in rank order: bcast, reduce, gather and scatter. References.
//
//     bcast, the far ranks last           reduce, the near ranks first
//     0 -> 1                              0 <- 1   2 <- 3   4 <- 5   6 <- 7
//     0 -> 2   1 -> 3                     0 <----- 2        4 <----- 6
//     0 -> 4   1 -> 5   2 -> 6   3 -> 7   0 <-------------- 4
//
// Ranks count from the root, modulo p. In bcast, the ranks below 2^k hold the vector after k steps and each sends it
// 2^k further; in reduce, rank r has gathered ranks r .. r + 2^k - 1. Gather takes the tree of reduce, and so does
// scatter, backwards; messages have the pieces of these ranks (PieceTree).
//
// Cost for m bytes on links of their own:
//     ceil(log2 p)·( o + latency + m/reduction + m/bandwidth ) in reduce; in bcast the last term is taken as often as a
//     path has children, for a rank sends to all of its own at once. Messages are followed (MessageTimeline).
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
// 2005. The trees are those of Open MPI's tuned component. Combines in rank order if the root is rank 0.

#include "coll_topo/algorithm/by_rank/binomial.hpp"

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/whole_vectors.hpp"
#include "coll_topo/algorithm/tree/piece_tree.hpp"

namespace coll_topo::binomial {
namespace {

constexpr Blocks vector_{Buffer::output, 0, 1};

}  // namespace

double bcast_seconds(const Grid& grid, int root, double bytes) {
    return bcast_of_whole_vectors(grid, root, bytes, [&](int own, auto&& visit) {
        int distance = 1;
        while (distance <= own) distance *= 2;
        for (; own + distance < grid.ranks(); distance *= 2) visit(own + distance);
    });
}

double reduce_seconds(const Grid& grid, int root, double bytes) {
    const int ranks = grid.ranks();
    MessageTimeline timeline(grid);
    for (int distance = 1; distance < ranks; distance *= 2) {
        for (int sender = distance; sender < ranks; sender += 2 * distance) {
            timeline.message((root + sender) % ranks, (root + sender - distance) % ranks, bytes,
                             bytes / grid.costs_together().reduce_bandwidth);
        }
        timeline.end_step();
    }
    return timeline.latest();
}

void write_bcast(ProgramBuilder& builder, int ranks, int root, int rank) {
    const int own = (rank - root + ranks) % ranks;
    for (int distance = 1; distance < ranks; distance *= 2) {
        if (own < distance && own + distance < ranks) builder.send((rank + distance) % ranks, vector_);
        if (own >= distance && own < 2 * distance) builder.receive((rank - distance + ranks) % ranks, vector_);
        builder.next_step();
    }
}

void write_reduce(ProgramBuilder& builder, int ranks, int root, int rank) {
    const int own = (rank - root + ranks) % ranks;
    for (int distance = 1; distance < ranks; distance *= 2) {
        if ((own & distance) != 0) {
            builder.send((rank - distance + ranks) % ranks, vector_);
            builder.next_step();
            return;
        }
        if (own + distance < ranks) {
            const int other = (rank + distance) % ranks;
            builder.receive_reduce(other, vector_, other < rank ? Operand::left : Operand::right);
            builder.next_step();
        }
    }
}

namespace {

PieceTree piece_tree(const Grid& grid, const Problem& problem) {
    const int ranks = grid.ranks();
    return {grid, problem, [=, root = problem.root](int rank) {
                const int own = (rank - root + ranks) % ranks;
                TreeOfRank tree;
                int distance = 1;
                for (; distance < ranks && (own & distance) == 0; distance *= 2) {
                    const bool exists = own + distance < ranks;
                    if (exists) tree.children.insert(tree.children.begin(), (rank + distance) % ranks);
                }
                if (own > 0) tree.parent = (rank - distance + ranks) % ranks;
                return tree;
            }};
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    if (moves_pieces(problem.collective)) return piece_tree(grid, problem).build(rank);
    ProgramBuilder builder(1, 0);
    builder.lane();
    const auto write = problem.collective == Collective::bcast ? write_bcast : write_reduce;
    write(builder, grid.ranks(), problem.root, rank);
    return builder.finish();
}

bool in_order(const Grid&, const Problem& problem) {
    return !combines(problem.collective) || problem.root == 0;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    if (moves_pieces(problem.collective)) return piece_tree(grid, problem).seconds(bytes);
    const auto predict = problem.collective == Collective::bcast ? bcast_seconds : reduce_seconds;
    return predict(grid, problem.root, bytes);
}

}  // namespace

}  // namespace coll_topo::binomial

namespace coll_topo::algorithms {

extern constinit const Algorithm binomial{
    .name = "binomial",
    .summary = "reference: along a binomial tree, in gather and scatter the pieces of all ranks below",
    .collectives = any({Collective::bcast, Collective::reduce, Collective::gather, Collective::scatter}),
    .reference = true,
    .in_order = binomial::in_order,
    .seconds = binomial::seconds,
    .build = binomial::build,
};

}  // namespace coll_topo::algorithms
