// SPDX-License-Identifier: BSD-3-Clause
//
// Breadth-first reduce-scatter and allgather on a torus or mesh, and both together as allreduce.
//
//             3                 allgather, round t: every host takes the shards whose owners are at distance t from
//           3 2 3               those neighbours that are nearer to them, as much over each port as its bandwidth
//         3 2 1 2 3             allows; shards that may come over several ports are cut where that is needed
//       3 2 1 o 1 2 3           reduce-scatter: the same backwards, sums of what allgather would spread
//         3 2 1 2 3
//           3 2 3               On a full torus all hosts do the same, so that all ports are busy all the time: both
//             3                 halves end in the time that the ports of a host need for m(p-1)/p bytes each. On a
//                               mesh that is so for the hosts in its corners, which have the fewest ports.
//
// Where some hosts of the torus are not in the communicator, those next to each other on a line are neighbours. The
// shards of a round lie apart in the vector, so each is a message; of these, a turn has one for each port. The ranks of
// a host take part as in halving_doubling; all hosts do, in the box or not.
//
// Cost for m bytes on p hosts of P ports of bandwidth b, for each half, with T turns, T = about (p-1)/P + rounds:
//     T · ( P·o + latency ) + m(p-1)/(p·P·b), and (p-1)/p·m/reduction.
//
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", NSDI 2025 (BFB schedules).
// Needs: hosts joined by lines of a torus. Combines out of rank order.

#include "coll_topo/algorithm/breadth_first/breadth_first_cost.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

#include <algorithm>

namespace coll_topo::algorithms {
namespace {

/// Sends every shard on its own, in one turn after another.
class TurnLane : public breadth_first::SpreadLane {
public:
    using SpreadLane::SpreadLane;

protected:
    void gather_sums(int rounds) override {
        for (int round = rounds - 1; round >= 0; --round) {
            for (int turn = turns(round) - 1; turn >= 0; --turn) {
                for (int port = 0; port < ports(); ++port) {
                    const auto gives = given(round, port), takes = taken(round, port);
                    if (turn < ssize(gives)) {
                        builder().receive_reduce(neighbour(port), shard(gives[turn]), Operand::right);
                    }
                    if (turn < ssize(takes)) builder().send(neighbour(port), shard(takes[turn]));
                }
                builder().next_step();
            }
        }
    }

    void spread_shards(int rounds) override {
        for (int round = 0; round < rounds; ++round) {
            for (int turn = 0; turn < turns(round); ++turn) {
                for (int port = 0; port < ports(); ++port) {
                    const auto gives = given(round, port), takes = taken(round, port);
                    if (turn < ssize(takes)) builder().receive(neighbour(port), shard(takes[turn]));
                    if (turn < ssize(gives)) builder().send(neighbour(port), shard(gives[turn]));
                }
                builder().next_step();
            }
        }
    }

private:
    static int ssize(std::span<const BreadthFirst::Arrival> list) { return static_cast<int>(list.size()); }

    int turns(int round) const {
        int most = 0;
        for (int port = 0; port < ports(); ++port) {
            most = std::max({most, ssize(given(round, port)), ssize(taken(round, port))});
        }
        return most;
    }
};

double round_seconds(const Grid& grid, const Problem& problem, const breadth_first::HostRound& round,
                     double cut_bytes) {
    const MachineCosts& costs = grid.costs_together();
    double transfer = 0, latency = 0, combined = 0;
    std::size_t turns = 0, messages = 0;
    for (const auto& [link, sent, received] : round.ports) {
        const int most = std::max(breadth_first::cuts(sent), breadth_first::cuts(received));
        transfer = std::max(transfer, most * cut_bytes * problem.aggregators / link->bandwidth);
        latency = std::max(latency, most > 0 ? link->latency : 0);
        turns = std::max({turns, sent.size(), received.size()});
        messages += sent.size();
        combined += breadth_first::cuts(received) * cut_bytes;
    }
    const double combining = round.combines ? combined / costs.reduce_bandwidth : 0;
    return static_cast<double>(messages) * costs.message_time + static_cast<double>(turns) * latency + transfer +
           combining;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return breadth_first::build(grid, problem, rank, breadth_first::make_lane<TurnLane>);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return breadth_first::seconds(grid, problem, bytes, round_seconds);
}

}  // namespace

extern constinit const Algorithm bfb{
    .name = "bfb",
    .summary = "tori and meshes: shards spread breadth first over all ports of all hosts at once; for large messages",
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
