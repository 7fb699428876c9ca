// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// A ring of hosts, which enters each of them at one or more of its ranks. Each entry exchanges data with that in the
/// same place on the hosts before and after, and serves some of the ranks that are none.
struct HostRing {
    std::vector<std::int32_t> hosts;  ///< in the order in which gathered data goes; combined data goes the other way
    int first_entry;                  ///< the number of a rank on its host, modulo how many there are
    int entries;                      ///< this one and those that follow it

    /// The rank in a place of the host: first the entries, then those that they serve.
    int rank_at(const Grid& grid, int host, int place) const {
        const auto ranks = grid.ranks_of_host(host);
        return ranks[(first_entry + place) % ranks.size()];
    }
    int place_of(const Grid& grid, int rank) const;
    /// The place of the entry that serves one of these others.
    int entry_of(int place) const { return place % entries; }
};

/// What a collective does with the data of a ring.
enum class RingWork : std::uint8_t { combining, gathering };

/// Seconds in which parts go all the way round, one ring for each lane, where every rank has a piece of so many bytes;
/// before or afterwards each lane takes its share of `within_hosts`, seconds.
double ring_seconds(const Grid& grid, const std::vector<HostRing>& rings, double piece, RingWork work,
                    double within_hosts);

/// Rings for so many lanes, every second one that before it backwards, along cycles that share no cable or from leaf to
/// leaf, with as many entries as take a long vector least time. They take turns with the ranks that are.
std::vector<HostRing> fastest_host_rings(const Grid& grid, int lanes, RingWork work);

}  // namespace coll_topo
