// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// "1 host", "2 hosts".
std::string counted(long long count, std::string_view one, std::string_view many);

/// "A, B or C".
std::string alternatives(std::span<const std::string_view> words);

/// The pieces between the separators; always at least one, which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace coll_topo
