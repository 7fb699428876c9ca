// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>

namespace coll_topo::tool {

std::string bandwidth_text(double bytes_per_second) {
    if (bytes_per_second == 0) return "not known";
    constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    int unit = 0;
    for (; bytes_per_second >= 999.5 && unit < 4; ++unit) bytes_per_second /= 1000;
    const char* const format = bytes_per_second < 999.5 ? "{:.3g} {}" : "{:.0f} {}";  // never with an exponent
    return fmt::format(fmt::runtime(format), bytes_per_second, units[unit]);
}

}  // namespace coll_topo::tool
