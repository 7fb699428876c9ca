// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <cstdint>

namespace coll_topo {

/// About how many bytes of memory a program of sound form takes while prove() and find_rounds() look at the schedule
/// that it is a part of, those of the program itself included.
std::int64_t bytes_to_prove(Collective collective, const Program& program, int rank, int ranks);

}  // namespace coll_topo
