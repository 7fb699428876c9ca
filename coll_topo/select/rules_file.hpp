// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/select/rules.hpp"

#include <string>
#include <string_view>

namespace coll_topo {

/// Reads a file of rules (coll-topo-rules.conf(5)), following Include. The error carries file:line:column.
Expected<Rules> read_rules_file(const std::string& path);

/// The same from text; `name` stands for the file in messages. Include is resolved against the directory of `name`.
Expected<Rules> read_rules_text(std::string_view text, const std::string& name);

}  // namespace coll_topo
