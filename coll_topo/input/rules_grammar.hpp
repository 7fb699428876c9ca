// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/input/statement.hpp"

namespace coll_topo {

/// The statements of a file of rules.
const Grammar& rules_grammar();

}  // namespace coll_topo
