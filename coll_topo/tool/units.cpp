// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/units.hpp"

#include <fmt/format.h>

namespace coll_topo::tool {

std::string bandwidth_text(double bytes_per_second) {
    if (bytes_per_second == 0) return "not known";
    constexpr const char* units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    int unit = 0;
    for (; bytes_per_second >= 999.5 && unit < 4; ++unit) bytes_per_second /= 1000;
    return fmt::format("{:.3g} {}", bytes_per_second, units[unit]);
}

std::string duration_text(double seconds) {
    if (seconds == 0) return "0 us";
    if (seconds < 999.5e-9) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 999.5e-6) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

}  // namespace coll_topo::tool
