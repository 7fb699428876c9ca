// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/schedule/builder.hpp"

/// Binomial trees in rank order; see binomial.cpp.
namespace coll_topo::binomial {

std::string refusal(const Grid& grid, const Problem& problem);
bool in_order(const Grid& grid, const Problem& problem);
double seconds(const Grid& grid, const Problem& problem, double bytes);
Program build(const Grid& grid, const Problem& problem, int rank);

/// The steps of one rank, of the whole vector in `output`, for algorithms that contain a reduce or bcast.
void write_reduce(ProgramBuilder& builder, int ranks, int root, int rank);
void write_bcast(ProgramBuilder& builder, int ranks, int root, int rank);

}  // namespace coll_topo::binomial
