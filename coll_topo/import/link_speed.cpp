// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/link_speed.hpp"

#include "coll_topo/input/wording.hpp"

#include <cstddef>

namespace coll_topo::importing {

namespace {

struct Speed {
    std::string_view name;
    double lane;  ///< Gbit/s of data: without what 8b/10b (to QDR) or 64b/66b take
};
constexpr Speed speeds[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 14.0625 * 64 / 66},
                            {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

/// What ibnetdiscover and others print for the widths of the InfiniBand architecture (mad_dump_linkwidth() in libibmad,
/// of rdma-core).
struct Width {
    std::string_view name;
    int lanes;
};
constexpr Width widths[] = {{"1x", 1}, {"2x", 2}, {"4x", 4}, {"8x", 8}, {"12x", 12}};

}  // namespace

double link_speed(std::string_view width, std::string_view speed) {
    for (const Width& known_width : widths) {
        if (!same_word(width, known_width.name)) continue;
        for (const Speed& known_speed : speeds) {
            if (same_word(speed, known_speed.name)) return known_width.lanes * known_speed.lane * 1e9 / 8;
        }
    }
    return 0;
}

double link_speed(std::string_view width_and_speed) {
    const std::size_t letter = width_and_speed.find_first_of("xX");
    if (letter == std::string_view::npos) return 0;
    return link_speed(width_and_speed.substr(0, letter + 1), width_and_speed.substr(letter + 1));
}

}  // namespace coll_topo::importing
