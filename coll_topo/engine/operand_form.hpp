// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"
#include "coll_topo/reduction/ordered_extremes.hpp"

#include <cstddef>
#include <optional>

namespace coll_topo {

/// What the reductions need to know of a type of operands in engine.h.
struct OperandForm {
    int operand;                      ///< COLL_TOPO_FLOAT ... COLL_TOPO_DOUBLE_DOUBLE
    std::optional<FloatingType> sum;  ///< the type of its numbers, if it can be summed
    int components;                   ///< numbers in an operand of a sum
    std::optional<ExtremeElement> extreme;
    std::size_t bytes;  ///< from one operand to the next
};

/// Null for integers and others.
const OperandForm* operand_form(int operand);

/// Null where the operation has no rule of its own for the operands.
CombineExtremes ordered_extreme(int operation, int operand);

}  // namespace coll_topo
