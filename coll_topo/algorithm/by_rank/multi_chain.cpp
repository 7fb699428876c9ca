// SPDX-License-Identifier: BSD-3-Clause
//
// Several pipelined chains at once, for hosts of several ranks: bcast and reduce.
//
//     visiting hosts once:        r -> a1 -> a2  =>  b0 -> b1 -> b2  =>  c0 …    -> within a host: a rank moves it
//     as often as it has ranks:   r  =>  b0  =>  c0  =>  a1  =>  b1  =>  c1 …    => over the network, which moves it
//
// In one chain that visits hosts once all ranks but one of each host copy the whole vector themselves. Here each lane
// is a chain of its own: the rings of multi_ring.cpp, which begin at the root and end before it.
//
// Cost for K lanes of S blocks b = m/(K·S), with what a link or a rank spends on one block of each lane:
//     sum over the hops of a lane ( o + latency + b/bandwidth or b/local, and b/reduction )
//         + (S-1) · max( the busiest link, the busiest rank, the slowest hop / blocks under way ),
// and in a bcast some of these periods more, in which blocks wait for those of other lanes.
//
// Source: the pipeline of pipelined_chain.cpp; several, and to weigh the network against memory, are ours. Needs: hosts
// with several ranks, or a cycle through all (grid_cycle.hpp). Combines out of rank order.

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/algorithm/by_rank/ring_orders.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/algorithm/tree/chain.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace coll_topo::algorithms {
namespace {

/// What follows each other through all chains.
struct Pace {
    double first = 0;   ///< seconds until the first block has passed the longest chain
    double period = 0;  ///< seconds from one block of each lane to the next
};

/// In simulations a link waits for ranks now and then, a rank for links more often, and the first block at some ranks.
constexpr double link_waits = 1.03, rank_waits = 1.08, first_waits = 1.05;

/// Ranks copy when they have nothing to send, and blocks of other lanes wait for them: so many periods, fewer in short
/// pipelines. To combine they stop all lanes alike. The numbers fit simulations on 16 to 64 hosts of 1 to 4 ranks.
double periods_of_waiting(const Problem& problem) {
    constexpr double of_each_segment = 0.12, most = 10;
    return problem.collective == Collective::bcast ? std::min(of_each_segment * (problem.segments - 1), most) : 0;
}

Pace pace(const Grid& grid, const Problem& problem, const std::vector<RingOrder>& chains, double block) {
    const bool reduces = problem.collective == Collective::reduce;
    RankOrderCost cost(grid);
    const int ranks = grid.ranks();
    const double work = reduces ? block / cost.machine().reduce_bandwidth : 0;
    Pace result;
    double slowest = 0;
    for (const RingOrder& chain : chains) {
        double ways = 0;
        for (int i = 0; i < ranks; ++i) {
            const int from = chain[i], to = chain[(i + 1) % ranks];
            if (to == problem.root) continue;
            if (reduces)
                cost.message(to, from, block);
            else
                cost.message(from, to, block);
            const double way = cost.alone(from, to, block) + work;
            ways += way;
            if (grid.host(from) != grid.host(to)) slowest = std::max(slowest, way);
        }
        result.first = std::max(result.first, first_waits * ways);
    }
    const RankOrderCost::Pace busiest = cost.take();
    const double starts = busiest.messages * busiest.start;
    const double moving = busiest.work - starts + work * static_cast<double>(chains.size());
    const double under_way = reduces ? 2 : chain_blocks_under_way;
    result.period =
        std::max({link_waits * busiest.transfer, starts + rank_waits * moving, link_waits * slowest / under_way});
    return result;
}

double seconds_with(const Grid& grid, const Problem& problem, const std::vector<RingOrder>& chains, double block) {
    const Pace own = pace(grid, problem, chains, block);
    // Chains share ranks and links: the first blocks of all of them take a period too.
    return std::max(own.first, own.period) + (problem.segments - 1 + periods_of_waiting(problem)) * own.period;
}

/// The chains with which blocks of the length that suits long vectors take least time.
std::vector<RingOrder> best_chains(const Grid& grid, const Problem& problem) {
    constexpr double long_block = 1 << 16;
    return fastest_rings(grid, problem.lanes, RingWays::one, [&](const std::vector<RingOrder>& chains) {
        return seconds_with(grid, problem, chains, long_block);
    });
}

Program build_with(const Grid& grid, const Problem& problem, const std::vector<RingOrder>& chains, int rank) {
    ProgramBuilder builder(problem.lanes * problem.segments, 0);
    int first = 0;
    for (const RingOrder& chain : chains) {
        const int ranks = grid.ranks(), own = static_cast<int>(std::ranges::find(chain, rank) - chain.begin());
        const int before = chain[(own + ranks - 1) % ranks], after = chain[(own + 1) % ranks];
        write_chain(builder, problem, rank, rank == problem.root ? -1 : before, after == problem.root ? -1 : after,
                    first);
        first += problem.segments;
    }
    Program program = builder.finish();
    if (problem.collective == Collective::bcast) limit_sends_passed(program, chain_blocks_under_way - 1);
    return program;
}

Program build(const Grid& grid, const Problem& problem, int rank) {
    return build_with(grid, problem, best_chains(grid, problem), rank);
}

std::vector<Program> build_all(const Grid& grid, const Problem& problem) {
    const std::vector<RingOrder> chains = best_chains(grid, problem);
    return programs_of_all_ranks(grid, [&](int rank) { return build_with(grid, problem, chains, rank); });
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return seconds_with(grid, problem, best_chains(grid, problem), bytes / problem.lanes / problem.segments);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (std::string why = why_no_rings(grid, RingWays::one); !why.empty()) return why;
    return problem.lanes > 1 ? "" : "with one lane it is a single chain";
}

}  // namespace

extern constinit const Algorithm multi_chain{
    .name = "multi_chain",
    .summary =
        "chains that enter hosts at different ranks, or share no cable of a torus; for long vectors on few hosts",
    .collectives = any({Collective::bcast, Collective::reduce}),
    .uses_lanes = true,
    .uses_segments = true,
    .spreads = true,
    .lane_counts = rings_of_lanes,
    .further_refusal = refusal,
    .in_order = in_order_if_nothing_is_combined,
    .seconds = seconds,
    .build = build,
    .build_all = build_all,
};

}  // namespace coll_topo::algorithms
