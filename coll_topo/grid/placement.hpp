// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace coll_topo {

/// Where one rank sits: its host in the fabric, and the part of the host it is bound to.
/// Ordinals are hwloc logical indices; `unbound` if the rank may run on several.
struct RankLocation {
    static constexpr std::uint16_t unbound = 0xffff;

    std::int32_t host = -1;
    std::uint16_t package = unbound;
    std::uint16_t numa = unbound;
    std::uint16_t l3 = unbound;
    std::uint16_t core = unbound;
    std::uint32_t processors = 0;  ///< that it may run on; 0: not known

    bool operator==(const RankLocation&) const = default;
};

/// The location of every rank of a communicator, by rank.
using Placement = std::vector<RankLocation>;

/// Processors that ranks share which all run on one machine, wherever the placement has them: what is bound alike has
/// the same ones. 0: not known.
int shared_processors(const Placement& placement);

}  // namespace coll_topo
