// SPDX-License-Identifier: BSD-3-Clause
//
// Bruck's algorithms in rank order: allgather and alltoall of short pieces in ceil(log2 p) steps. References.
//
//     allgather, 5 ranks: what rank 0 holds          alltoall, 5 ranks: slot i is for rank r + i
//     start   0                                      bit 0: slots 1, 3   to rank r + 1
//     step 0  0 1            from rank 1             bit 1: slots 2, 3   to rank r + 2
//     step 1  0 1 2 3        from rank 2             bit 2: slot 4       to rank r + 4
//     step 2  0 1 2 3 4      from rank 4
//
// allgather: scratch slot i of rank r is the piece of rank r + i, modulo p; every step doubles what a rank holds, and a
// rotation into `output` ends it. alltoall: a piece for rank r + i travels the bits of i one after the other; the slots
// of a step are packed into one message. At the end slot i holds what rank r - i has sent.
//
// Cost for m bytes, l_k messages on the busiest link at distance 2^k:
//     sum_k [ o + hops·latency + l_k·n_k·m/(p·bandwidth) ], where n_k = min(2^k, p - 2^k) in allgather, and about p/2
//     in alltoall; and the copies.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", IEEE TPDS 8(11), 1997. Needs: nothing.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo::algorithms {
namespace {

constexpr Blocks scratch(int first, int count) {
    return {Buffer::scratch, first, count};
}

Program build_allgather(int ranks, int rank) {
    ProgramBuilder builder(ranks, ranks);
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::scratch, 0);
    builder.next_step();
    for (int distance = 1; distance < ranks; distance *= 2) {
        const int count = std::min(distance, ranks - distance);
        builder.receive((rank + distance) % ranks, scratch(distance, count));
        builder.send((rank + ranks - distance) % ranks, scratch(0, count));
        builder.next_step();
    }
    builder.copy(scratch(0, ranks - rank), Buffer::output, rank);
    builder.copy(scratch(ranks - rank, rank), Buffer::output, 0);
    std::vector<std::int32_t> order(ranks);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + rank, order.end());
    return builder.finish(std::move(order));
}

/// How many of the slots 0 .. ranks-1 have this bit set.
int slots_with(int bit, int ranks) {
    return ranks / (2 * bit) * bit + std::max(0, ranks % (2 * bit) - bit);
}

/// Copies the slots that have this bit set to or from consecutive blocks of scratch.
void pack(ProgramBuilder& builder, int bit, int ranks, int packed) {
    for (int slot = bit; slot < ranks; slot += 2 * bit) {
        const int count = std::min(bit, ranks - slot);
        builder.copy(scratch(slot, count), Buffer::scratch, packed);
        packed += count;
    }
}

void unpack(ProgramBuilder& builder, int bit, int ranks, int packed) {
    for (int slot = bit; slot < ranks; slot += 2 * bit) {
        const int count = std::min(bit, ranks - slot);
        builder.copy(scratch(packed, count), Buffer::scratch, slot);
        packed += count;
    }
}

Program build_alltoall(int ranks, int rank) {
    // Scratch: the slots, then what is to be sent, then what has been received.
    const int most = ranks / 2, leaving = ranks, arriving = ranks + most;
    ProgramBuilder builder(ranks, ranks + 2 * most);
    builder.lane();
    builder.copy({Buffer::input, rank, ranks - rank}, Buffer::scratch, 0);
    builder.copy({Buffer::input, 0, rank}, Buffer::scratch, ranks - rank);
    for (int bit = 1; bit < ranks; bit *= 2) {
        pack(builder, bit, ranks, leaving);
        builder.next_step();
        const int count = slots_with(bit, ranks);
        builder.receive((rank + ranks - bit) % ranks, scratch(arriving, count));
        builder.send((rank + bit) % ranks, scratch(leaving, count));
        unpack(builder, bit, ranks, arriving);
    }
    for (int slot = 0; slot < ranks; ++slot) {
        builder.copy(scratch(slot, 1), Buffer::output, (rank + ranks - slot) % ranks);
    }
    return builder.finish();
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return problem.collective == Collective::allgather ? build_allgather(grid.ranks(), rank)
                                                       : build_alltoall(grid.ranks(), rank);
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const int ranks = grid.ranks();
    const double piece = bytes / ranks;
    const bool gathers = problem.collective == Collective::allgather;
    RankOrderCost cost(grid);
    double total = 0, copied = gathers ? bytes + piece : 2 * bytes;
    for (int distance = 1; distance < ranks; distance *= 2) {
        if (gathers) {
            total += cost.shift(ranks - distance, std::min(distance, ranks - distance) * piece);
        } else {
            const double message = slots_with(distance, ranks) * piece;
            total += cost.shift(distance, message);
            copied += 2 * message;
        }
    }
    return total + copied / grid.costs_together().copy_bandwidth;
}

}  // namespace

extern constinit const Algorithm bruck{
    .name = "bruck",
    .summary = "reference: pieces packed into ceil(log2 p) messages",
    .collectives = any({Collective::allgather, Collective::alltoall}),
    .reference = true,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
