// SPDX-License-Identifier: BSD-3-Clause
//
// Alltoall through switches whose routes load some cables more than others: directly, but that ranks of other hosts
// pass on some pieces.
//
//     lane 1   rank r -> r+1, r+2, …           in the order of switches, all but
//     lane 2   the piece of rank 3 for rank 9:   3 -> 7, then 7 -> 9
//
// Routes go by destination. That gives each host of a leaf a cable down of its own where all leaves are full. In a job
// on leaves of 5, 7 and 4 hosts with 4 cables each, two hosts share one while others have theirs for themselves, and
// the busiest cable decides. To pass on a few pieces, 6 of 240 there, nearly evens that out. Messages of both lanes
// begin at once, so that those to relays are there long before the last of lane 1; a relay keeps what it passes on in
// its scratch. In the windows of a2at messages would wait for each other, as no step of it loads such cables evenly.
//
// Cost for p ranks, m bytes:  o·(p + d) + hops·latency + L·m/p/bandwidth, L the messages left on the busiest cable, d
// those that a rank passes on.
//
// Source: ours. That messages by way of a third host even out loads is known from L. G. Valiant, "A scheme for fast
// parallel communication", SIAM Journal on Computing 11(2), 1982; here only those take it that gain by it.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/alltoall/relays.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/leaf_load.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// Relays are looked for pair by pair of hosts.
constexpr int most_hosts = 128;

/// How much longer than the busiest cable needs messages take in simulations, as some wait at others.
constexpr double crowding = 1.05;

/// Lane 1: all pieces but those that are passed on.
void write_direct(ProgramBuilder& builder, const Grid& grid, std::span<const RelayedPiece> relayed, int rank) {
    std::set<int> not_to, not_from;
    for (const RelayedPiece& piece : relayed) {
        if (piece.from == rank) not_to.insert(piece.to);
        if (piece.to == rank) not_from.insert(piece.from);
    }
    builder.lane();
    builder.copy({Buffer::input, rank, 1}, Buffer::output, rank);
    builder.next_step();
    const int ranks = grid.ranks(), own = grid.number_by_switches(rank);
    for (int turn = 1; turn < ranks; ++turn) {
        const int to = grid.ranks_by_switches()[(own + turn) % ranks];
        const int from = grid.ranks_by_switches()[(own + ranks - turn) % ranks];
        if (!not_from.contains(from)) builder.receive(from, {Buffer::output, from, 1});
        if (!not_to.contains(to)) builder.send(to, {Buffer::input, to, 1});
    }
}

/// Lane 2: first all that goes to relays, then what comes from them; `pieces` by their rounds.
void write_relayed(ProgramBuilder& builder, std::span<const RelayedPiece> pieces, int rank) {
    builder.lane();
    for (const bool to_relay : {true, false}) {
        int round = 0, kept = 0;
        for (const RelayedPiece& piece : pieces) {
            if (piece.round != round) builder.next_step();
            round = piece.round;
            if (piece.by == rank && to_relay) builder.receive(piece.from, {Buffer::scratch, kept++, 1});
            if (piece.by == rank && !to_relay) builder.send(piece.to, {Buffer::scratch, kept++, 1});
            if (piece.from == rank && to_relay) builder.send(piece.by, {Buffer::input, piece.to, 1});
            if (piece.to == rank && !to_relay) builder.receive(piece.by, {Buffer::output, piece.from, 1});
        }
        builder.next_step();
    }
}

Program build_one(const Grid& grid, std::span<const RelayedPiece> relayed, int rank) {
    const auto kept = std::ranges::count(relayed, rank, &RelayedPiece::by);
    ProgramBuilder builder(grid.ranks(), static_cast<int>(kept));
    write_direct(builder, grid, relayed, rank);
    write_relayed(builder, relayed, rank);
    return builder.finish();
}

Program build(const Grid& grid, const Problem&, int rank) {
    return build_one(grid, find_relays(grid).pieces, rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem&) {
    const Relays relays = find_relays(grid);
    return programs_of_all_ranks(grid, [&](int rank) { return build_one(grid, relays.pieces, rank); });
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

/// Pieces that one rank passes on, of the rank that has most to do.
int most_passed_on(const Grid& grid, std::span<const RelayedPiece> relayed) {
    std::vector<int> of_rank(grid.ranks(), 0);
    for (const RelayedPiece& piece : relayed) ++of_rank[piece.by];
    return std::ranges::max(of_rank);
}

double seconds(const Grid& grid, const Problem&, double bytes) {
    const double piece = bytes / grid.ranks();
    const MachineCosts costs = grid.costs_together();
    const Relays relays = find_relays(grid);
    const int messages = grid.ranks() + most_passed_on(grid, relays.pieces);
    const double transfer = crowding * piece * relays.busiest;
    const double work =
        messages * costs.message_time + (grid.most_ranks_per_host() - 1) * piece / costs.local_bandwidth;
    return LeafLoad(grid).way_latency() +
           std::max(started_in_turn_seconds(messages, costs.message_time, transfer), work) +
           piece / costs.copy_bandwidth;
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.hosts() > most_hosts) return "more than " + std::to_string(most_hosts) + " hosts";
    if (!grid.leaves().routes.known()) return "too many routes";
    const LeafLoad load(grid);
    if (load.all_at_once(1) <= nearly_even * load.all_at_once_evenly(1)) return "routes load all cables nearly alike";
    return find_relays(grid).pieces.empty() ? "no ways past the busiest cables" : "";
}

}  // namespace

extern constinit const Algorithm relayed_alltoall{
    .name = "relayed_alltoall",
    .summary = "direct messages, but that hosts pass on a few where routes would load some cables more than others",
    .collectives = only(Collective::alltoall),
    .network = Network::switches,
    .receivers_at_once = ReceiversAtOnce::several,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
