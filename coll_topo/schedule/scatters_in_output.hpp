// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/untouched_operands.hpp"

namespace coll_topo {

/// The blocks of `scratch` in which a reduce-scatter combines what it delivers to `output`, if they are apart from all
/// others: then they may be that memory, unless operands are in it, and nothing is copied. Else empty. `untouched`: of
/// this program.
BlockRange scatters_in_output(const Program& program, Collective collective, int ranks, int rank,
                              const UntouchedOperands& untouched);

}  // namespace coll_topo
