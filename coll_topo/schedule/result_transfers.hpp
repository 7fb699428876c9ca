// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <vector>

namespace coll_topo {

/// For each action of an allreduce whether it sends or receives blocks that hold the result, which nothing is folded
/// into any more; of other collectives never. Found from the program of one rank: what its `output` holds at the end is
/// the result, and so is what that comes from. The proof checks that the two ranks of a message agree.
std::vector<bool> transfers_of_results(const Program& program, Collective collective);

}  // namespace coll_topo
