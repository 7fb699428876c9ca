// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/command_line/command_line.hpp"
#include "coll_topo/tool/output/table.hpp"

namespace coll_topo::tool {

/// The option --format text|json|csv.
command_line::Option format_option(Format& format);

}  // namespace coll_topo::tool
