// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/builder.hpp"

/// Binomial trees in rank order; see binomial.cpp.
namespace coll_topo::binomial {

/// The steps of one rank, of the whole vector in `output`, for algorithms that contain a reduce or bcast.
void write_reduce(ProgramBuilder& builder, int ranks, int root, int rank);
void write_bcast(ProgramBuilder& builder, int ranks, int root, int rank);

/// Predicted seconds of the two.
double reduce_seconds(const Grid& grid, int root, double bytes);
double bcast_seconds(const Grid& grid, int root, double bytes);

}  // namespace coll_topo::binomial
