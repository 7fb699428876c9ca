// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/topology_grammar.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// A new value for a key of every statement of a kind.
struct KeyEdit {
    StatementKind kind;
    std::string_view key;
    std::string value;
};

/// How many statements of each kind a topology file has, with the files that it includes.
Expected<std::map<StatementKind, int>> count_statements(std::string_view text, const std::string& name);

/// The text of a topology file with new values, and every other character as it was. A key that a statement does not
/// have is added at its end; HostLink and Machine, where the file has none, are added as lines at the end. Fails if the
/// text is no topology file, or if a statement to change is not in this text itself but in a file that it includes.
Expected<std::string> edit_topology(std::string_view text, const std::string& name, const std::vector<KeyEdit>& edits);

/// Values as topology files have them, with three significant digits: "3.12MB/s", "0.7us".
std::string bandwidth_value(double bytes_per_second);
std::string latency_value(double seconds);

}  // namespace coll_topo::tool
