// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace coll_topo::tool {

/// Text from elsewhere that is to stand in a comment: on one line.
inline std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char character) { return std::iscntrl(character) != 0; }, ' ');
    return text;
}

}  // namespace coll_topo::tool
