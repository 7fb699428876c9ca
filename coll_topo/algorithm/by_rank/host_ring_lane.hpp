// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/by_rank/host_ring_orders.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <span>

namespace coll_topo {

/// Writes the steps of one rank in the lane of a ring of hosts. Of the blocks of a host, as many for each of its ranks
/// as there are lanes, a lane has as many as there are ranks: its part, which is one range of blocks. All that the
/// constructor takes must outlive it.
class HostRingLane {
public:
    /// Of the lane of that number; data is in `buffer` meanwhile.
    HostRingLane(ProgramBuilder& builder, const Grid& grid, const HostRing& ring, int lane, int lanes, Buffer buffer,
                 int rank);

    /// From the own piece to all of them.
    void gather();
    /// The same back in time: from all pieces to what all ranks together have for the own one.
    void combine();

    /// What leads from the buffers of the caller to the data and away from it, where these are others.
    void take_all();
    void take_own();
    void give_all();
    void give_own();

private:
    bool is_entry() const { return place_ < ring_.entries; }
    void copy(const Blocks& blocks, Buffer from, Buffer to);
    void receive_reduce(int peer, const Blocks& blocks);
    void exchange_own_pieces();
    void combine_own_pieces();
    void pass_on();
    void take_together();
    void follow();
    void precede();
    template <typename Exchange>
    void for_others_of_host(Exchange&& exchange);
    template <typename Visit>
    void for_those_served(Visit&& visit);

    int hosts() const { return static_cast<int>(ring_.hosts.size()); }
    /// The host so many places before, fewer than there are.
    int before(int places) const { return ring_.hosts[(host_on_ring_ + hosts() - places) % hosts()]; }
    int entry_on(int host) const { return ring_.rank_at(grid_, host, place_); }
    int own_entry() const { return ring_.rank_at(grid_, host_, ring_.entry_of(place_)); }
    std::span<const std::int32_t> ranks_of_host() const { return grid_.ranks_of_host(host_); }
    Blocks part_of(int host) const;
    Blocks own_blocks(int rank) const;

    ProgramBuilder& builder_;
    const Grid& grid_;
    const HostRing& ring_;
    const int lane_;
    const int lanes_;
    const Buffer buffer_;
    const int rank_;
    const int host_;
    const int place_;         // on the host, see HostRing
    const int host_on_ring_;  // its place
};

}  // namespace coll_topo
