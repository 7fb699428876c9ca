// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/by_rank/host_ring_lane.hpp"

#include <algorithm>

namespace coll_topo {

HostRingLane::HostRingLane(ProgramBuilder& builder, const Grid& grid, const HostRing& ring, int lane, int lanes,
                           Buffer buffer, int rank)
    : builder_(builder),
      grid_(grid),
      ring_(ring),
      lane_(lane),
      lanes_(lanes),
      buffer_(buffer),
      rank_(rank),
      host_(grid.host(rank)),
      place_(ring.place_of(grid, rank)),
      host_on_ring_(static_cast<int>(std::ranges::find(ring.hosts, host_) - ring.hosts.begin())) {}

void HostRingLane::gather() {
    exchange_own_pieces();
    if (is_entry())
        pass_on();
    else
        follow();
}

void HostRingLane::combine() {
    if (is_entry())
        take_together();
    else
        precede();
    combine_own_pieces();
}

void HostRingLane::take_all() {
    for (const std::int32_t host : ring_.hosts) copy(part_of(host), Buffer::input, buffer_);
    builder_.next_step();
}

void HostRingLane::take_own() {
    copy(own_blocks(rank_), Buffer::input, buffer_);
    builder_.next_step();
}

void HostRingLane::give_all() {
    for (const std::int32_t host : ring_.hosts) copy(part_of(host), buffer_, Buffer::output);
    builder_.next_step();
}

void HostRingLane::give_own() {
    copy(own_blocks(rank_), buffer_, Buffer::output);
    builder_.next_step();
}

void HostRingLane::copy(const Blocks& blocks, Buffer from, Buffer to) {
    builder_.copy({from, blocks.first, blocks.count}, to, blocks.first);
}

void HostRingLane::receive_reduce(int peer, const Blocks& blocks) {
    builder_.receive_reduce(peer, blocks, peer < rank_ ? Operand::left : Operand::right);
}

void HostRingLane::exchange_own_pieces() {
    for_others_of_host([&](int from, int to) {
        builder_.receive(from, own_blocks(from));
        builder_.send(to, own_blocks(rank_));
    });
}

void HostRingLane::combine_own_pieces() {
    for_others_of_host([&](int from, int to) {
        receive_reduce(from, own_blocks(rank_));
        builder_.send(to, own_blocks(to));
    });
}

/// In one step: each distance, with the rank so far before on the host and the one so far behind.
template <typename Exchange>
void HostRingLane::for_others_of_host(Exchange&& exchange) {
    const auto ranks = ranks_of_host();
    const int count = static_cast<int>(ranks.size()), number = rank_ - ranks.front();
    for (int distance = 1; distance < count; ++distance) {
        exchange(ranks[(number + count - distance) % count], ranks[(number + distance) % count]);
    }
    builder_.next_step();
}

/// An entry takes in the parts of all other hosts from the host before, and gives what came last to the next one and to
/// those that it serves.
void HostRingLane::pass_on() {
    for (int step = 0; step < hosts(); ++step) {
        if (step + 1 < hosts()) {
            builder_.receive(entry_on(before(1)), part_of(before(step + 1)));
            builder_.send(entry_on(before(hosts() - 1)), part_of(before(step)));
        }
        if (step > 0) for_those_served([&](int rank) { builder_.send(rank, part_of(before(step))); });
        builder_.next_step();
    }
}

void HostRingLane::take_together() {
    for (int step = hosts() - 1; step >= 0; --step) {
        if (step > 0) for_those_served([&](int rank) { receive_reduce(rank, part_of(before(step))); });
        if (step + 1 < hosts()) {
            receive_reduce(entry_on(before(hosts() - 1)), part_of(before(step)));
            builder_.send(entry_on(before(1)), part_of(before(step + 1)));
        }
        builder_.next_step();
    }
}

void HostRingLane::follow() {
    for (int step = 1; step < hosts(); ++step) {
        builder_.receive(own_entry(), part_of(before(step)));
        builder_.next_step();
    }
}

void HostRingLane::precede() {
    for (int step = hosts() - 1; step > 0; --step) {
        builder_.send(own_entry(), part_of(before(step)));
        builder_.next_step();
    }
}

template <typename Visit>
void HostRingLane::for_those_served(Visit&& visit) {
    const int ranks = static_cast<int>(ranks_of_host().size());
    for (int place = place_ + ring_.entries; place < ranks; place += ring_.entries) {
        visit(ring_.rank_at(grid_, host_, place));
    }
}

Blocks HostRingLane::part_of(int host) const {
    const auto ranks = grid_.ranks_of_host(host);
    const int count = static_cast<int>(ranks.size());
    return {buffer_, ranks.front() * lanes_ + lane_ * count, count};
}

/// What of the part of its host is in the piece of a rank.
Blocks HostRingLane::own_blocks(int rank) const {
    const Blocks part = part_of(host_);
    const int begin = std::max(part.first, rank * lanes_);
    const int end = std::min(part.first + part.count, (rank + 1) * lanes_);
    return {buffer_, begin, std::max(0, end - begin)};
}

}  // namespace coll_topo
