// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace coll_topo::importing {

/// Bytes/s of data, in one direction, of an InfiniBand cable: width "1x" to "12x", speed "SDR" to "XDR". 0: not known.
double link_speed(std::string_view width, std::string_view speed);

/// The same of both in one word, such as "4xQDR".
double link_speed(std::string_view width_and_speed);

}  // namespace coll_topo::importing
