// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"

#include <cstdio>
#include <iterator>

namespace coll_topo {

std::string duration_text(double seconds) {
    struct Unit {
        double seconds;
        const char* name;
    };
    constexpr Unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    if (seconds == 0) return "0 us";
    // 999.6 of a unit would be printed as 1e+03. Above that, of the largest unit, all digits are.
    const Unit* unit = units;
    while (unit + 1 != std::end(units) && seconds < 0.9995 * unit->seconds) ++unit;
    const double value = seconds / unit->seconds;
    char text[320];  // a double has at most 309 digits before the point
    std::snprintf(text, sizeof text, value < 999.5 ? "%.3g %s" : "%.0f %s", value, unit->name);
    return text;
}

}  // namespace coll_topo
