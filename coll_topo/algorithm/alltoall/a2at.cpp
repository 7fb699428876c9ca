// SPDX-License-Identifier: BSD-3-Clause
//
// A2AT: alltoall directly from every rank to every other, in an order that keeps all links busy. Likewise
// reduce_scatter, where every rank combines the operands that come for its piece; allgather, with the same piece for
// all; allreduce, one after the other; and reduce, where the root gets all pieces in the end.
//
//     cell (x, y) on a 3x3 torus:   -> (x+1, y) (x-1, y) (x, y+1) (x, y-1)   in flight together
//                                   -> (x+1, y+1) (x-1, y-1) …
//
// All hosts send to the same offset at the same time (OffsetOrder; on switches LeafOrder or SpineOrder), and receive
// from the opposite one. A step is one message each way; as many steps are in flight as the order needs, and at least
// 16, without a barrier: a step begins when the one a window before it has ended. Data go straight from their place to
// their place.
//
// Offsets are between cells, wherever ranks are: where there is no host at one end, the step has no message there.
// Hosts with several ranks go through each group of offsets once for every rotation of the ranks: rank number a sends
// to number a + r of each host of the group, r = 0, 1, …, modulo the largest number of ranks. First of all, ranks
// exchange with those of their own host in the same rotations.
//
// Every message has the same step number at both ends, so that the message of the lowest number can always pass. An
// allgather, whose pieces may have to be copied to where they belong when all are there, is one step instead.
//
// Operands are few steps too, of up to 64 messages, of which a few are under way at once. So the first ones come early,
// and a rank combines them while others travel; nothing is sent or combined twice. Where one rank combines more slowly
// than its share of the links brings operands, as with few ranks on each of today's hosts, no other row of
// reduce_scatter is as fast, and none of allreduce where links have room for it.
//
// Cost for p ranks, m bytes:  e = (p-1)·o + hops·latency + L·m/p/bandwidth, L the messages on the busiest link of the
// whole exchange: on a torus N_1 × N_2 × …, N_1 the largest, about (N_1/8)·p. With operands, the longer of e and
// c = (p-1)·( o + m/p/reduction ), and of the other as much as the first messages take; allreduce e more, and reduce
// what the busiest link, or the root, takes for the pieces that come to it.
//
// Source: for meshes of two dimensions, H. Takaue, S. Yazaki, Y. Ajima, T. Shimizu, H. Ishihata, "Optimal all-to-all
// communication algorithm on 2-dimensional mesh network and torus network" (in Japanese), IPSJ Transactions on Advanced
// Computing Systems, 2010. All other networks, several ranks on a host and ranks on a part of the network are ours.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/alltoall/direct_exchange.hpp"
#include "coll_topo/algorithm/alltoall/offset_space.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"

#include <algorithm>
#include <string>

namespace coll_topo::algorithms {
namespace {

/// Twice as many offsets as any job needs whose hosts fill a reasonable part of what they span.
constexpr std::int64_t most_cells = 1 << 24;

Program build_alltoall(const DirectExchange& exchange, int ranks, int rank) {
    ProgramBuilder builder(ranks, 0);
    builder.lane(exchange.window());
    builder.copy({Buffer::input, rank, 1}, Buffer::output, rank);
    builder.next_step();
    exchange.write(builder, DirectExchange::Data::pieces, Buffer::input);
    return builder.finish();
}

Program build_allreduce(const DirectExchange& exchange, int ranks) {
    // In simulations operands take less time with few messages in flight, results with many.
    ProgramBuilder builder(ranks, 0);
    builder.lane(1, std::min(2 * exchange.operands_at_once(), exchange.window()));
    exchange.write(builder, DirectExchange::Data::operands, Buffer::output);
    exchange.write(builder, DirectExchange::Data::result, Buffer::output);
    return builder.finish();
}

Program build_reduce(const DirectExchange& exchange, int ranks, int root, int rank) {
    ProgramBuilder builder(ranks, 0);
    builder.lane(1, exchange.operands_at_once());
    exchange.write(builder, DirectExchange::Data::operands, Buffer::output);
    if (rank != root) builder.send(root, {Buffer::output, rank, 1});
    for (int other = 0; rank == root && other < ranks; ++other) {
        if (other != root) builder.receive(other, {Buffer::output, other, 1});
    }
    return builder.finish();
}

Program build_half(const DirectExchange& exchange, Collective collective, int ranks, int rank) {
    ProgramBuilder builder(ranks, ranks);
    builder.lane(1, combines(collective) ? exchange.operands_at_once() : exchange.window());
    if (combines(collective)) {
        take_all_pieces(builder, ranks);
        exchange.write(builder, DirectExchange::Data::operands, Buffer::scratch);
        give_own_piece(builder, rank);
    } else {
        take_own_piece(builder, rank);
        exchange.write(builder, DirectExchange::Data::result, Buffer::scratch);
        give_all_pieces(builder, ranks);
    }
    return builder.finish(pieces_in_rank_order(ranks));
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    const DirectExchange exchange(grid, rank);
    if (problem.collective == Collective::alltoall) return build_alltoall(exchange, grid.ranks(), rank);
    if (problem.collective == Collective::allreduce) return build_allreduce(exchange, grid.ranks());
    if (problem.collective == Collective::reduce) return build_reduce(exchange, grid.ranks(), problem.root, rank);
    return build_half(exchange, problem.collective, grid.ranks(), rank);
}

bool in_order(const Grid& grid, const Problem& problem) {
    return !combines(problem.collective) || grid.ranks() <= 2;
}

/// Seconds of the hops of the longest route.
double farthest_latency(const Torus& part) {
    double latency = 0;
    for (const TorusDimension& dimension : part.dimensions()) {
        latency += dimension.latency * (dimension.wrapped ? dimension.size / 2 : dimension.size - 1);
    }
    return latency;
}

double torus_seconds(const Grid& grid, const HostCells& cells, double piece) {
    const Torus& part = cells.part();
    const OffsetSpace space(part);
    double fastest = 0;
    for (const TorusDimension& dimension : part.dimensions()) fastest = std::max(fastest, dimension.bandwidth);
    // As if the ranks were spread evenly over the cells.
    const double ranks_per_cell = static_cast<double>(grid.ranks()) / static_cast<double>(part.cells());
    const double transfer = fastest > 0 ? space.bound() * ranks_per_cell * ranks_per_cell * piece / fastest : 0;
    const double on_host = (grid.most_ranks_per_host() - 1) * piece / grid.costs_together().local_bandwidth;
    const double latency = cells.start_latency() + farthest_latency(part);
    return latency + on_host + started_in_turn_seconds(grid.ranks() - 1, grid.costs_together().message_time, transfer);
}

double exchange_seconds(const Grid& grid, double piece) {
    const HostCells* cells = grid.cells();
    const bool is_full = cells != nullptr && grid.keeps_to_axes();
    return is_full ? torus_seconds(grid, *cells, piece) : RankOrderCost(grid).all_at_once(piece);
}

/// How much longer than links need messages take in simulations: under leaves of different sizes, hosts do not all send
/// below another leaf in the same step, and in the diagonal order they come to the cables of a pair of leaves in
/// bursts; so do those between all ranks of two hosts of a torus if others are missing. `few`: only a few of them are
/// under way at once.
double crowding(const Grid& grid, bool few) {
    if (!grid.switched()) {
        if (grid.keeps_to_axes() || grid.most_ranks_per_host() == 1) return 1;
        return few ? 1.2 : 1.05;
    }
    const LeafArrangement& leaves = grid.leaves();
    if (leaves.hosts.smallest() < leaves.hosts.largest()) return few ? 1.25 : 1.05;
    const bool bursts = few && leaves.lines.empty() && LeafOrder(grid).diagonal();
    return bursts ? 1.25 : 1;
}

/// Seconds in which operands come in and are combined. Nothing overlaps with the first, or last, few of them, but a
/// rank starts its messages before any of them come.
double combining_seconds(const Grid& grid, double piece, double exchange) {
    const MachineCosts costs = grid.costs_together();
    const double others = grid.ranks() - 1, one = piece / costs.reduce_bandwidth;
    const double few =
        std::min(others, grid.switched() ? LeafOrder::window : 2.0 * static_cast<double>(grid.axes().size()));
    const double work = others * (costs.message_time + one);
    const double transfer = exchange - exchange_seconds(grid, 0);
    return std::max(exchange + few * one, work + transfer * few / std::max(1.0, others));
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const double piece = bytes / grid.ranks(), exchange = exchange_seconds(grid, piece);
    const double own_piece = piece / grid.costs_together().copy_bandwidth;
    if (!combines(problem.collective)) return crowding(grid, false) * exchange + own_piece;
    const double combined = combining_seconds(grid, piece, crowding(grid, true) * exchange);
    if (problem.collective == Collective::reduce) return combined + RankOrderCost(grid).gather(problem.root, piece);
    return combined + (problem.collective == Collective::allreduce ? exchange : own_piece);
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.cells() == nullptr || grid.cells()->part().cells() <= most_cells) return {};
    return "the hosts are spread over more than " + std::to_string(most_cells) + " cells";
}

}  // namespace

extern constinit const Algorithm a2at{
    .name = "a2at",
    .summary =
        "direct messages in an order that loads all links equally, combined while others travel; for large messages",
    .collectives = with_reduce_scatter_and_allgather | any({Collective::alltoall, Collective::reduce}),
    .receivers_at_once = ReceiversAtOnce::several,
    .direct = true,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
