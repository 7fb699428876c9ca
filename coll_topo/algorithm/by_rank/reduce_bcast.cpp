// SPDX-License-Identifier: BSD-3-Clause
//
// Allreduce as a binomial reduce to rank 0 and a binomial bcast from there, in rank order. A reference.
//
//     0 <- 1   2 <- 3       0 <----- 2       0 -> 1       0 -> 2   1 -> 3
//
// Cost for m bytes: that of both trees (binomial.cpp), 2·ceil(log2 p) steps of the whole vector.
//
// Source: as binomial.cpp; Open MPI's tuned component calls it nonoverlapping. Combines in rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/binomial.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

namespace coll_topo::algorithms {
namespace {

Program build(const Grid& grid, const Problem&, int rank) {
    ProgramBuilder builder(1, 0);
    builder.lane();
    binomial::write_reduce(builder, grid.ranks(), 0, rank);
    binomial::write_bcast(builder, grid.ranks(), 0, rank);
    return builder.finish();
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    return binomial::reduce_seconds(grid, 0, bytes) + binomial::bcast_seconds(grid, 0, bytes);
}

}  // namespace

extern constinit const Algorithm reduce_bcast{
    .name = "reduce_bcast",
    .summary = "reference: binomial reduce to rank 0, then binomial bcast",
    .collectives = only(Collective::allreduce),
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
