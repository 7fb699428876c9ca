// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// reduce_scatter and allgather in one lane with rank k's piece in block k of `scratch`: the steps that move pieces
/// between there and the caller's buffers, and the order to finish the program with.
void take_all_pieces(ProgramBuilder& builder, int ranks);
void take_own_piece(ProgramBuilder& builder, int rank);
void give_all_pieces(ProgramBuilder& builder, int ranks);
void give_own_piece(ProgramBuilder& builder, int rank);

std::vector<std::int32_t> pieces_in_rank_order(int ranks);

}  // namespace coll_topo
