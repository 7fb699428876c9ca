// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace coll_topo::tool {

/// The whole number that a member of an object is, which get() would cut, or convert in a way that is not defined.
/// Throws std::out_of_range if it is below `least`, above `most` or not whole, and what at() throws.
template <typename Json>
std::int64_t whole_number(const Json& object, const char* key, std::int64_t least,
                          std::int64_t most = std::numeric_limits<int>::max()) {
    const Json& member = object.at(key);
    const bool fits = member.is_number_integer() &&
                      (!member.is_number_unsigned() ||
                       member.template get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    const auto value = fits ? member.template get<std::int64_t>() : 0;
    if (fits && value >= least && value <= most) return value;
    throw std::out_of_range("\"" + std::string(key) + "\" must be a whole number from " + std::to_string(least) +
                            " to " + std::to_string(most));
}

/// The member "shape" of a grid, as its sizes are written: "4x4", without axes of one place; "1" if there is no other.
/// Throws as whole_number().
std::string shape_of(const nlohmann::json& grid);

}  // namespace coll_topo::tool
