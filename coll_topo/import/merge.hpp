// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <string>
#include <string_view>

namespace coll_topo::importing {

/// The text of a topology file with the network as it is now, and every other character as it was: comments, HostLink,
/// Machine, and speeds of cables that are still there. Of switches, statements that are still true stay as they are.
/// `now` has the switch names of the file (take_switch_names()). Fails where a statement to change is in a file that is
/// included.
Expected<std::string> merged_text(std::string_view text, const std::string& name, const Fabric& before,
                                  const Fabric& now);

}  // namespace coll_topo::importing
