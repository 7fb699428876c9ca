// SPDX-License-Identifier: BSD-3-Clause
//
// A2AT: alltoall directly from every rank to every other, in an order that keeps all links busy. And allgather
// likewise, with the same piece for all: on few hosts, for pieces too short for the steps of a ring.
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
// Cost for p ranks, m bytes:  (p-1)·o + hops·latency + L·m/p/bandwidth, L the messages on the busiest link of the whole
// exchange: on a torus N_1 × N_2 × …, N_1 the largest, about (N_1/8)·p.
//
// Source: for meshes of two dimensions, H. Takaue, S. Yazaki, Y. Ajima, T. Shimizu, H. Ishihata, "Optimal all-to-all
// communication algorithm on 2-dimensional mesh network and torus network" (in Japanese), IPSJ Transactions on Advanced
// Computing Systems, 2010. All other networks, several ranks on a host and ranks on a part of the network are ours.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/alltoall/leaf_order.hpp"
#include "coll_topo/algorithm/alltoall/offset_order.hpp"
#include "coll_topo/algorithm/alltoall/offset_space.hpp"
#include "coll_topo/algorithm/alltoall/spine_order.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/piece_scratch.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace coll_topo::algorithms {
namespace {

/// Twice as many offsets as any job needs whose hosts fill a reasonable part of what they span.
constexpr std::int64_t most_cells = 1 << 24;

/// The order needs fewer messages in flight, but ranks are not in step: when one is late, others must be able to go on.
/// On a virtual 4x4 torus 15 in flight took 0.92 to 0.96 of the time of 4, on a tree with half the uplinks 16 took 0.9.
/// Where uplinks carry what all hosts send, only ports limit, and what queues at those delays others: 16 took 1.03
/// to 1.3 of the time of LeafOrder::window.
constexpr int least_window = 16;

/// The hosts that one sends to and receives from, -1 if there is none.
struct Partners {
    int to;
    int from;
};

class ExchangeWriter {
public:
    ExchangeWriter(const Grid& grid, Collective collective, int rank, int window)
        : grid_(grid),
          gathers_(collective == Collective::allgather),
          rank_(rank),
          host_(grid.host(rank)),
          builder_(grid.ranks(), gathers_ ? grid.ranks() : 0) {
        if (gathers_)
            builder_.lane(1, window);
        else
            builder_.lane(window);
        builder_.copy({Buffer::input, rank, 1}, gathers_ ? Buffer::scratch : Buffer::output, rank);
        builder_.next_step();
        group_ = {{host_, host_}};
        for (int rotation = 1; rotation < grid.most_ranks_per_host(); ++rotation) exchange(rotation);
        group_.clear();
    }

    void add(Partners partners) { group_.push_back(partners); }

    /// The partners added since the last call are in flight together.
    void end_group() {
        for (int rotation = 0; rotation < grid_.most_ranks_per_host(); ++rotation) exchange(rotation);
        group_.clear();
    }

    Program finish() {
        if (!gathers_) return builder_.finish();
        give_all_pieces(builder_, grid_.ranks());
        return builder_.finish(pieces_in_rank_order(grid_.ranks()));
    }

private:
    void exchange(int rotation) {
        const int modulus = grid_.most_ranks_per_host(), own = grid_.local_rank(rank_);
        for (const Partners& partners : group_) {
            const int from = rank_at(partners.from, (own + modulus - rotation) % modulus);
            const int to = rank_at(partners.to, (own + rotation) % modulus);
            if (from >= 0) builder_.receive(from, {gathers_ ? Buffer::scratch : Buffer::output, from, 1});
            if (to >= 0) builder_.send(to, gathers_ ? Blocks{Buffer::scratch, rank_, 1} : Blocks{Buffer::input, to, 1});
            if (!gathers_) builder_.next_step();
        }
    }

    int rank_at(int host, int number) const {
        if (host < 0) return -1;
        const auto local_ranks = grid_.ranks_of_host(host);
        return number < static_cast<int>(local_ranks.size()) ? local_ranks[number] : -1;
    }

    const Grid& grid_;
    const bool gathers_;  // allgather: the same piece to all
    const int rank_;
    const int host_;
    ProgramBuilder builder_;
    std::vector<Partners> group_;
};

Program build_on_torus(const Grid& grid, const HostCells& cells, Collective collective, int rank) {
    const OffsetOrder order(cells.part());
    ExchangeWriter writer(grid, collective, rank, std::clamp(order.window(), least_window, largest_window));
    const std::int64_t own = cells.cell(grid.host(rank));
    for (int group = 0; group < order.groups(); ++group) {
        for (const std::int32_t offset : order.group(group)) {
            writer.add({cells.host_at(cells.ahead(own, offset)), cells.host_at(cells.behind(own, offset))});
        }
        writer.end_group();
    }
    return writer.finish();
}

template <typename Order>
Program build_on_switches(const Grid& grid, const Order& order, Collective collective, int rank, int window) {
    ExchangeWriter writer(grid, collective, rank, window);
    const int own = grid.host(rank);
    for (int step = 0; step < order.steps(); ++step) {
        // A host may be its own partner in a step; ranks of one host have exchanged already.
        const auto other = [&](int host) { return host == own ? -1 : host; };
        writer.add({other(order.to(own, step)), other(order.from(own, step))});
        writer.end_group();
    }
    return writer.finish();
}

/// How many messages of a host are to be in flight on a tree.
int window_below(const LeafArrangement& leaves, const MachineCosts& costs) {
    const bool tapered = leaves.uplink_bandwidth < leaves.hosts.largest() * leaves.way(Reach::leaf).bandwidth;
    // Between groups, messages of a step meet on cables further up, and others must be able to go on meanwhile.
    if (leaves.leaves.parts() > 1) return largest_window;
    if (tapered) return least_window;
    // As many as a rank can start while the first one is on its way.
    const double started = leaves.way(Reach::fabric).latency / std::max(costs.message_time, 1e-9);
    return static_cast<int>(std::clamp<double>(started, LeafOrder::window, least_window));
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

Program build(const Grid& grid, const Problem& problem, int rank) {
    if (const HostCells* cells = grid.cells()) return build_on_torus(grid, *cells, problem.collective, rank);
    if (!grid.leaves().lines.empty())
        return build_on_switches(grid, SpineOrder(grid), problem.collective, rank, least_window);
    return build_on_switches(grid, LeafOrder(grid), problem.collective, rank,
                             window_below(grid.leaves(), grid.costs()));
}

bool in_order(const Grid&, const Problem&) {
    return true;
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    const double piece = bytes / grid.ranks();
    // Other rows of allgather send fewer messages, to fewer at once: on a virtual tree of 16 hosts this one took 1.35
    // of what doubling did for 16 KiB, and 1.1 for 1 MiB.
    const bool crowded = grid.switched() && problem.collective == Collective::allgather;
    const double factor = crowded ? 1.15 : 1;
    const double exchange =
        grid.cells() != nullptr ? torus_seconds(grid, *grid.cells(), piece) : RankOrderCost(grid).all_at_once(piece);
    return factor * exchange + piece / grid.costs_together().copy_bandwidth;
}

std::string refusal(const Grid& grid, const Problem&) {
    if (grid.cells() == nullptr || grid.cells()->part().cells() <= most_cells) return {};
    return "the hosts are spread over more than " + std::to_string(most_cells) + " cells";
}

}  // namespace

extern constinit const Algorithm a2at{
    .name = "a2at",
    .summary = "direct messages in an order that loads all links equally, some in flight; for large messages",
    .collectives = any({Collective::allgather, Collective::alltoall}),
    .direct = true,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
