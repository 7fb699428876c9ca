// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/profile/profile_report.hpp"

#include <string>
#include <string_view>

namespace coll_topo::tool {

/// Whether a text is meant to be what coll_topo_profile writes.
bool is_profile(std::string_view text);

/// Reads what coll_topo_profile writes; `file` is its name in messages, which say where in it something is wrong.
Expected<ProfileReport> parse_profile(std::string_view text, const std::string& file);

/// The same from a file.
Expected<ProfileReport> read_profile(const std::string& file);

/// The whole text of a file.
Expected<std::string> read_text(const std::string& file);

}  // namespace coll_topo::tool
