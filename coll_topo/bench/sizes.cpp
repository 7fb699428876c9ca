// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/sizes.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/mpi_run/pattern.hpp"

#include <limits>

namespace coll_topo::bench {

namespace {

/// MPI counts elements in an int.
constexpr std::int64_t largest_size = std::numeric_limits<int>::max() * static_cast<std::int64_t>(sizeof(Element));

Expected<std::int64_t> parse_size(const Located& text) {
    auto bytes = parse_bytes(text);
    if (bytes && (*bytes < 1 || *bytes > largest_size)) {
        return text.error("a size must be from 1 B to " + std::to_string(largest_size) + " B, not " +
                          in_quotes(text.text));
    }
    return bytes;
}

Expected<std::vector<std::int64_t>> sweep(const std::vector<Located>& parts) {
    if (parts.size() != 3 || !parts[2].text.starts_with('x')) {
        return failure("expected sizes as FROM:TO:xFACTOR, such as 8:4MiB:x4");
    }
    ASSIGN_OR_RETURN(const auto from, parse_size(parts[0]));
    ASSIGN_OR_RETURN(const auto to, parse_size(parts[1]));
    ASSIGN_OR_RETURN(const auto factor, parse_integer(parts[2].part(1), 2, 1024, "the factor between sizes"));
    if (from > to) return failure("the first size is above the last");
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = from; size <= to; size *= factor) sizes.push_back(size);
    return sizes;
}

}  // namespace

Expected<std::vector<std::int64_t>> parse_sizes(std::string_view text) {
    if (text.find(':') != std::string_view::npos) return sweep(split(Located{text}, ':'));
    std::vector<std::int64_t> sizes;
    for (const Located& part : split(Located{text}, ',')) {
        ASSIGN_OR_RETURN(const auto size, parse_size(part));
        sizes.push_back(size);
    }
    return sizes;
}

}  // namespace coll_topo::bench
