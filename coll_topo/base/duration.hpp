// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coll_topo {

/// Three significant digits and a unit, for people: "1.5 us", "12 ms".
std::string duration_text(double seconds);

}  // namespace coll_topo
