// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"

#include <cstdint>
#include <initializer_list>

/// Sets of collectives as a row of the catalogue has them: bit 1 << Collective for each.
namespace coll_topo {

constexpr std::uint32_t only(Collective collective) {
    return 1u << static_cast<unsigned>(collective);
}

inline constexpr std::uint32_t with_reduce_scatter_and_allgather =
    only(Collective::allreduce) | only(Collective::reduce_scatter) | only(Collective::reduce_scatter_block) |
    only(Collective::allgather);

/// Whether one of these ends with an allgather; it begins with a reduce_scatter if it combines values.
constexpr bool has_allgather(Collective collective) {
    return collective == Collective::allgather || collective == Collective::allreduce;
}

/// Whether a call that halves or scatters, and then doubles, ends with all ranks having all.
constexpr bool ends_with_doubling(Collective collective) {
    return has_allgather(collective) || collective == Collective::bcast;
}

/// Whether a call has a half that is not among all ranks: to the root, or from it.
constexpr bool has_root(Collective collective) {
    return collective == Collective::reduce || collective == Collective::bcast;
}

constexpr std::uint32_t any(std::initializer_list<Collective> collectives) {
    std::uint32_t bits = 0;
    for (const Collective collective : collectives) bits |= only(collective);
    return bits;
}

}  // namespace coll_topo
