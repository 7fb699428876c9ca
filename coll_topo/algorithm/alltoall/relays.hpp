// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// A piece of an alltoall that goes from one rank to another by a third, on a host between theirs.
struct RelayedPiece {
    std::int32_t from;
    std::int32_t by;
    std::int32_t to;
    std::int32_t round;  ///< no rank has two of a round to or from the same relay, nor a relay to or from the same rank
};

struct Relays {
    std::vector<RelayedPiece> pieces;  ///< by their rounds
    double busiest = 0;                ///< seconds for which pieces of a byte keep the busiest cable busy
};

/// Which pieces are to take another way than their own, so that the busiest cable carries no more than nearly_even of
/// what it would if all up from a leaf were loaded alike, or as little as can be found. The same on all ranks. See
/// relays.cpp. For a grid on switches whose single cables are known (LeafRoutes).
Relays find_relays(const Grid& grid);

/// Passing on more takes more time than it gains, in simulations of trees with 3 to 6 unevenly filled leaves.
inline constexpr double nearly_even = 1.12;

}  // namespace coll_topo
