// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/error.hpp"

namespace coll_topo {

std::string SourceLocation::text() const {
    std::string text = file;
    if (line <= 0) return text;
    if (!text.empty()) text += ':';
    text += std::to_string(line);
    if (column > 0) text += ':' + std::to_string(column);
    return text;
}

std::string Error::text() const {
    const std::string place = where.text();
    return place.empty() ? message : place + ": " + message;
}

}  // namespace coll_topo
