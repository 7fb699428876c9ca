// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/statement.hpp"
#include "coll_topo/select/rules.hpp"

namespace coll_topo {

/// The statements of a file of rules.
const Grammar& rules_grammar();

/// The rule that a statement of this grammar says.
Expected<Rule> read_rule(const Statement& statement);

}  // namespace coll_topo
