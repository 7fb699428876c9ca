// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// Where the elements of the arrays of objects begin, which the library does not tell: it counts what is read.
struct ElementPlaces {
    std::vector<std::size_t> communicators;
    std::vector<std::size_t> rows;
};

/// The JSON of a profile, and the places of its elements: bytes from the beginning of the text.
struct LocatedJson {
    nlohmann::json json;
    ElementPlaces places;
};

/// Throws nlohmann::json::parse_error.
LocatedJson parse_located(std::string_view text);

/// Line and column of byte `at` of a file's text.
SourceLocation location_of(std::string_view text, std::size_t at, const std::string& file);

}  // namespace coll_topo::tool
