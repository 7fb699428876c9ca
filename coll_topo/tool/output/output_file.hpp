// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <string_view>

namespace coll_topo::tool {

/// Writes a text to a file, replacing what was there. Fails if it cannot be written completely; what was there stays
/// then, if the folder takes another file beside it.
Expected<void> write_file(const std::string& path, std::string_view text);

}  // namespace coll_topo::tool
