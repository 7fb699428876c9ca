// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coll_topo::tool {

/// Three significant digits and a unit, for people: "12.5 GB/s"; "not known" for 0.
std::string bandwidth_text(double bytes_per_second);

}  // namespace coll_topo::tool
