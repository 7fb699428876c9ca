// SPDX-License-Identifier: BSD-3-Clause
//
// Breadth-first reduce-scatter and allgather as in bfb, in as few messages as the source counts: in a round, one over
// each port in each direction.
//
//     vector    a b c d e f g h i ...       what goes over a port in a round, here c, e and i, is copied together in
//                   |   |       |           scratch, sent from there and received there; the receiver reduces it into
//     scratch       c---e-------i --> port  its vector or copies it there
//
// What reduce-scatter sends over a port in a round, allgather receives over it, in the same place of scratch, which
// therefore takes two vectors. Shards next to each other in the vector are copied together; a message of only these is
// sent and received without a copy.
//
// Cost for m bytes on p hosts of P ports of bandwidth b, R rounds, R = sum of floor(d/2) over the sizes of a torus:
//     2·R·( P·o + latency ) + 2·m(p-1)/(p·P·b) + (p-1)/p·m/reduction + 3·(p-1)/p·m/copying.
//
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", NSDI 2025 (BFB schedules).
// Needs: hosts joined by lines of a torus. Combines out of rank order.

#include "coll_topo/algorithm/breadth_first/breadth_first_cost.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

#include <algorithm>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// What goes over a port in a round.
struct Message {
    int peer;
    std::vector<Blocks> runs;  ///< of neighbouring blocks, where they lie in the vector
    Blocks packed;             ///< where they lie together
};

class PackedLane : public breadth_first::SpreadLane {
public:
    using SpreadLane::SpreadLane;

protected:
    void gather_sums(int rounds) override {
        list_messages(rounds);
        for (int round = rounds - 1; round >= 0; --round) {
            if (round == rounds - 1) pack(taken_[round]);
            builder().next_step();
            for (const Message& message : given_[round]) receive_sums(message);
            for (const Message& message : taken_[round]) builder().send(message.peer, message.packed);
            for (const Message& message : given_[round]) reduce(message);
            if (round > 0) pack(taken_[round - 1]);
        }
        builder().next_step();
    }

    void spread_shards(int rounds) override {
        list_messages(rounds);
        for (int round = 0; round < rounds; ++round) {
            if (round == 0) pack(given_[round]);
            builder().next_step();
            for (const Message& message : taken_[round]) builder().receive(message.peer, message.packed);
            for (const Message& message : given_[round]) builder().send(message.peer, message.packed);
            for (const Message& message : taken_[round]) unpack(message);
            if (round + 1 < rounds) pack(given_[round + 1]);
        }
        builder().next_step();
    }

private:
    static bool in_place(const Message& message) { return message.runs.size() == 1; }

    void list_messages(int rounds) {
        for (int round = static_cast<int>(taken_.size()); round < rounds; ++round) {
            taken_.emplace_back();
            given_.emplace_back();
            for (int port = 0; port < ports(); ++port) {
                add_message(taken_.back(), neighbour(port), taken(round, port));
                add_message(given_.back(), neighbour(port), given(round, port));
            }
        }
    }

    void add_message(std::vector<Message>& messages, int peer, std::span<const BreadthFirst::Arrival> arrivals) {
        if (arrivals.empty()) return;
        std::vector<Blocks> shards;
        for (const BreadthFirst::Arrival& arrival : arrivals) shards.push_back(shard(arrival));
        std::ranges::sort(shards, {}, &Blocks::first);
        Message message{peer, {}, {}};
        for (const Blocks& blocks : shards) {
            if (!message.runs.empty() && message.runs.back().first + message.runs.back().count == blocks.first) {
                message.runs.back().count += blocks.count;
            } else {
                message.runs.push_back(blocks);
            }
        }
        message.packed = in_place(message) ? message.runs[0] : add_scratch_like(message.runs);
        messages.push_back(std::move(message));
    }

    void pack(const std::vector<Message>& messages) {
        for (const Message& message : messages) {
            if (in_place(message)) continue;
            std::int32_t at = message.packed.first;
            for (const Blocks& run : message.runs) {
                builder().copy(run, Buffer::scratch, at);
                at += run.count;
            }
        }
    }

    void unpack(const Message& message) {
        if (in_place(message)) return;
        std::int32_t at = message.packed.first;
        for (const Blocks& run : message.runs) {
            builder().copy({Buffer::scratch, at, run.count}, run.buffer, run.first);
            at += run.count;
        }
    }

    void receive_sums(const Message& message) {
        if (in_place(message)) {
            builder().receive_reduce(message.peer, message.packed, Operand::right);
        } else {
            builder().receive(message.peer, message.packed);
        }
    }

    void reduce(const Message& message) {
        if (in_place(message)) return;
        std::int32_t at = message.packed.first;
        for (const Blocks& run : message.runs) {
            builder().reduce({Buffer::scratch, at, run.count}, run.buffer, run.first, Operand::right);
            at += run.count;
        }
    }

    std::vector<std::vector<Message>> taken_, given_;  // by round
};

double round_seconds(const Grid& grid, const Problem& problem, const breadth_first::HostRound& round,
                     double cut_bytes) {
    const MachineCosts& costs = grid.costs_together();
    double transfer = 0, latency = 0, processor = 0;
    for (const auto& [link, sent, received] : round.ports) {
        const double sends = breadth_first::cuts(sent) * cut_bytes,
                     receives = breadth_first::cuts(received) * cut_bytes;
        transfer = std::max(transfer, std::max(sends, receives) * problem.aggregators / link->bandwidth);
        latency = std::max(latency, sends + receives > 0 ? link->latency : 0);
        if (!sent.empty()) processor += costs.message_time;
        if (sent.size() > 1) processor += sends / costs.copy_bandwidth;
        // Operands are combined directly out of the messages; shards must be copied out of them.
        if (round.combines)
            processor += receives / costs.reduce_bandwidth;
        else if (received.size() > 1)
            processor += receives / costs.copy_bandwidth;
    }
    return latency + transfer + processor;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return breadth_first::build(grid, problem, rank, breadth_first::make_lane<PackedLane>);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return breadth_first::seconds(grid, problem, bytes, round_seconds);
}

}  // namespace

extern constinit const Algorithm bfb_packed{
    .name = "bfb_packed",
    .summary =
        "tori and meshes: shards spread breadth first over all ports at once, one message each; for middle sizes",
    .collectives = with_reduce_scatter_and_allgather,
    .network = Network::torus,
    .uses_aggregators = true,
    .spreads = true,
    .further_refusal = [](const Grid& grid, const Problem&) { return BreadthFirst::refusal(grid); },
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
