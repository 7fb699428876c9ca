// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::importing {

/// A digit of a coordinate in a node's name, 0 to 9 and A to Z, as Slurm's tori have them; nothing for other letters.
std::optional<int> coordinate_of_digit(char digit);

/// Reads the hostlists of a source of Slurm, which together have at most 131072 names. Beside what others have,
/// "tux[000x133,200]" are the nodes of boxes of a torus from corner to corner (hostlist.c of Slurm).
class HostlistReader {
public:
    /// The names of a hostlist, none of an empty one. Failures have the place of the whole list.
    Expected<std::vector<std::string>> read(std::string_view hostlist, const SourceLocation& where);

private:
    Expected<void> add(std::string_view name, std::vector<std::string>& names);
    Expected<void> add_box(std::string_view stem, std::string_view box, std::vector<std::string>& names);

    std::int64_t total_ = 0;
};

}  // namespace coll_topo::importing
