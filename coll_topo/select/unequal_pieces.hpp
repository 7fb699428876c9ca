// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace coll_topo {

/// The collectives that run a schedule of alltoall with pieces whose sizes not all ranks know: values of
/// Request::variant.
constexpr std::array<std::string_view, 2> unequal_alltoalls = {"alltoallv", "alltoallw"};

constexpr bool is_unequal_alltoall(std::string_view name) {
    return std::ranges::find(unequal_alltoalls, name) != unequal_alltoalls.end();
}

/// The size that a piece of theirs is assumed to have when algorithms are compared.
constexpr double typical_piece_bytes = 65536;

}  // namespace coll_topo
