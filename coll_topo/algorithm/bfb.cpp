// SPDX-License-Identifier: BSD-3-Clause
//
// Breadth-first reduce-scatter and allgather on a full torus, and both together as allreduce.
//
//             3                 allgather, round t: every host takes the shards whose owners are at distance t from
//           3 2 3               those neighbours that are nearer to them, as much over each port as its bandwidth
//         3 2 1 2 3             allows; shards that may come over several ports are cut where that is needed
//       3 2 1 o 1 2 3           reduce-scatter: the same backwards, sums of what allgather would spread
//         3 2 1 2 3
//           3 2 3               All hosts do the same, so all ports of all hosts are busy all the time: both halves end
//             3                 in the time that the ports of a host need for m(p-1)/p bytes each.
//
// The shards of a round lie apart in the vector, so each is a message; of these, a turn has one for each port. The
// ranks of a host, and surplus hosts, take part as in halving_doubling.
//
// Cost for m bytes on p hosts of P ports of bandwidth b, for each half, with T turns, T = about (p-1)/P + rounds:
//     T · ( P·o + latency ) + m(p-1)/(p·P·b), and (p-1)/p·m/reduction.
//
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", NSDI 2025 (BFB schedules).
// Needs: a full torus, where all dimensions of more than two hosts are rings. Combines out of rank order.

#include "coll_topo/algorithm/bfb.hpp"

#include "coll_topo/algorithm/breadth_first.hpp"
#include "coll_topo/algorithm/cost.hpp"
#include "coll_topo/algorithm/halving_doubling_lane.hpp"

#include <algorithm>

namespace coll_topo::bfb {
namespace {

/// Spreads shards by turns, instead of halving and doubling.
class BreadthFirstLane : public halving_doubling::LaneWriter {
public:
    BreadthFirstLane(ProgramBuilder& builder, const Grid& grid, const Problem& problem, int rank, const Route& route,
                     const Layout& layout, const BreadthFirst& spread)
        : LaneWriter(builder, grid, problem, rank, 0, route, layout), spread_(spread) {}

protected:
    void halve() override {
        for (int turn = spread_.turns() - 1; turn >= 0; --turn) {
            for (const BreadthFirst::Arrival& arrival : spread_.turn(turn)) {
                const BreadthFirst::Port& port = spread_.ports()[arrival.port];
                const int before = spread_.before(host(), port), behind = spread_.behind(host(), port);
                builder().receive_reduce(peer(behind), shard(behind, arrival), Operand::right);
                builder().send(peer(before), shard(host(), arrival));
            }
            builder().next_step();
        }
    }

    void double_up() override {
        for (int turn = 0; turn < spread_.turns(); ++turn) {
            for (const BreadthFirst::Arrival& arrival : spread_.turn(turn)) {
                const BreadthFirst::Port& port = spread_.ports()[arrival.port];
                const int before = spread_.before(host(), port), behind = spread_.behind(host(), port);
                builder().receive(peer(before), shard(host(), arrival));
                builder().send(peer(behind), shard(behind, arrival));
            }
            builder().next_step();
        }
    }

private:
    /// What arrives at a place.
    Blocks shard(int place, const BreadthFirst::Arrival& arrival) const {
        return slice(spread_.owner(place, arrival.offset), arrival.first, arrival.count);
    }

    const BreadthFirst& spread_;
};

/// Into how many blocks a shard may be cut: a shard of several ranks' pieces, which lie one after the other, into one.
int most_cuts(const Grid& grid, const Problem& problem) {
    constexpr int most = 16;
    const bool one_piece = grid.surplus() == 0 && grid.largest_board() == problem.aggregators;
    return problem.collective == Collective::allreduce || one_piece ? most : 1;
}

/// Seconds of reduce-scatter, which combines, or allgather.
double half_seconds(const Grid& grid, const Problem& problem, const BreadthFirst& spread, double bytes, bool combines) {
    const MachineCosts& costs = grid.costs();
    const double part = bytes / problem.aggregators, cut = part / grid.places() / spread.cuts();
    double seconds = 0;
    for (int turn = 0; turn < spread.turns(); ++turn) {
        double transfer = 0, latency = 0;
        for (const BreadthFirst::Arrival& arrival : spread.turn(turn)) {
            const BreadthFirst::Port& port = spread.ports()[arrival.port];
            transfer = std::max(transfer, arrival.count * cut * problem.aggregators / port.bandwidth);
            latency = std::max(latency, grid.axes()[port.axis].latency);
        }
        seconds += static_cast<double>(spread.turn(turn).size()) * costs.message_time + latency + transfer;
    }
    if (combines) seconds += part * (grid.places() - 1) / grid.places() / costs.reduce_bandwidth;
    if (grid.surplus() > 0) seconds += costs.message_time + bytes / grid.axes()[0].bandwidth;
    return seconds + board_seconds(costs, grid.largest_board() - 1, part);
}

}  // namespace

Program build(const Grid& grid, const Problem& problem, int rank) {
    const bool vector = problem.collective == Collective::allreduce;
    const BreadthFirst spread(grid, most_cuts(grid, problem));
    const int cuts = spread.cuts();
    const int blocks = (vector ? problem.aggregators * grid.places() : grid.ranks()) * cuts;
    const Route route(grid, 0);
    const Layout layout =
        vector ? Layout::of_vector(grid, problem, 0, cuts) : Layout::of_pieces(grid, problem, 0, route, cuts);
    std::vector<std::int32_t> scratch_order;
    for (const std::int32_t piece : layout.piece_order()) {
        for (int cut = 0; cut < cuts; ++cut) scratch_order.push_back(piece * cuts + cut);
    }
    ProgramBuilder builder(blocks, vector ? 0 : blocks);
    builder.lane();
    BreadthFirstLane lane(builder, grid, problem, rank, route, layout, spread);
    lane.write(problem.collective);
    return builder.finish(std::move(scratch_order));
}

bool in_order(const Grid&, const Problem& problem) {
    return problem.collective == Collective::allgather;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const BreadthFirst spread(grid, most_cuts(grid, problem));
    const bool scatters = problem.collective != Collective::allgather;
    const bool gathers = problem.collective == Collective::allgather || problem.collective == Collective::allreduce;
    const double both = (scatters ? half_seconds(grid, problem, spread, bytes, true) : 0) +
                        (gathers ? half_seconds(grid, problem, spread, bytes, false) : 0);
    if (problem.collective == Collective::allreduce) return both;
    return both + (1 + 1.0 / grid.ranks()) * bytes / grid.costs().copy_bandwidth;
}

std::string refusal(const Grid& grid, const Problem&) {
    return BreadthFirst::refusal(grid);
}

}  // namespace coll_topo::bfb
