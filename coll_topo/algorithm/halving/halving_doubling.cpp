// SPDX-License-Identifier: BSD-3-Clause
//
// Dimension-sorted halving-doubling: reduce-scatter and allgather, and both together as allreduce; reduce, which
// gathers at the root instead, and bcast, which begins with a scatter from there.
//
//     host          x             y                y             x           host
//     o o o o     o-o o-o      o   o   o        o   o   o      o-o o-o      o o o o
//      \| |/   >  o-o o-o   >  |   |   |    >   |   |   |   >  o-o o-o   >   \| |/
//     A parts     halving      halving          doubling       doubling     all parts
//      m/A        m/(A·X)      m/(A·X·Y)        m/(A·X)         m/A            m
//
// The ranks of a host reduce-scatter the vector to A aggregators; aggregators of the same number form
// a torus of their own, and all A of them run at once. Dimensions are sorted by bandwidth, highest first, so that the
// most data cross the fastest links. All halving comes before all doubling, and doubling retraces the halving, so that
// the partner of the last halving step is the partner of the first doubling step. Axis sizes are split into prime
// factors (Stage): any size works, and p ranks on p hosts send 2m(p-1)/p bytes each. Lanes cut the vector into shares
// that start with different dimensions and, mirrored, on different cables, to keep all links busy. An extra host first
// folds its parts onto its proxy and gets the result last.
//
// A reduce retraces the halving too, but in each stage only the hosts that have the root's number there go on, with
// what the others of their groups give them: one message from each host but the root's, and no more than m into that.
// It takes small stages together.
// A bcast is its mirror image: in each stage of the scatter those send that have the root's number in all later ones.
// What these have they need not get again while all double: every block comes to every rank once.
//
// Through switches the axes are the hosts of a leaf, then leaves; groups of any size exchange directly. After the first
// axis each of the d hosts of a leaf has only m/d left, so that the cables above the leaf carry m in all, where each of
// its ports carries m. An extra host spreads its data over the hosts of a leaf while these halve.
//
// Cost for m bytes, stage s exchanging with r_s members at link load l_s, piece m_s = m / (r_1 … r_s):
//     2 · sum_s [ (r_s - 1)·o + hops·latency + l_s · m_s / bandwidth ] + reduction, and what the ranks of a host do
//     among themselves. Of a half that gathers at a root or scatters from there, l_s is what that host alone sends one
//     way, and its links carry m for all lanes together.
//
// Source: JP 7087953 B2 (dimension order, aggregation within hosts); Thakur, Rabenseifner, Gropp, "Optimization of
// collective communication operations in MPICH", IJHPCA 19(1), 2005 (halving and doubling; reduce as a reduce-scatter
// and a gather, bcast as a scatter and an allgather); the rings of large primes as in Patarasuk, Yuan, "Bandwidth
// optimal all-reduce algorithms", JPDC 69(2), 2009. Needs: a grid. Combines in rank order when ranks follow the grid
// and no stage is a ring.

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/halving/halving_doubling_lane.hpp"
#include "coll_topo/algorithm/stages/cost.hpp"
#include "coll_topo/algorithm/stages/rooted_stages.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace coll_topo::algorithms {
namespace {

/// Seconds that all lanes together keep something busy.
struct Busy {
    std::vector<double> axis;  // its links
    double combining = 0;      // a rank
    double messages = 0;       // a rank too, which starts them one after the other

    /// The longest. Through switches all axes share the port of a host.
    double longest(const Grid& grid) const {
        if (grid.switched()) return std::max(messages + combining, std::reduce(axis.begin(), axis.end()));
        return std::max(messages + combining, axis.empty() ? 0 : *std::ranges::max_element(axis));
    }
};

/// Seconds of all halving stages of a lane on its own, and what it adds to what is busy. Doubling, which does not
/// combine, costs the same without that.
halving_doubling::HalfSeconds stages_seconds(const Grid& grid, const Problem& problem, int lane, double bytes,
                                             bool combines, Busy& busy) {
    const StageOrder stage_order(grid, lane);
    const bool mirrored_pairs = problem.lanes > static_cast<int>(grid.axes().size());
    double seconds = 0, lag = 0, piece = bytes / problem.lanes / problem.aggregators;
    for (const Stage& stage : stage_order.stages()) {
        const Axis& axis = grid.axes()[stage.axis];
        piece /= stage.radix;
        const StageWay way = stage_way(grid, stage_order, stage);
        const double alone = exchange_seconds(grid.costs_together(), stage, way, piece, problem.aggregators);
        const double combining = combines ? (stage.radix - 1) * piece / grid.costs_together().reduce_bandwidth : 0;
        const double messages = (stage.radix - 1) * grid.costs_together().message_time;
        busy.combining += combining;
        busy.messages += messages;
        if (grid.switched()) {
            // On virtual clusters queued messages of a large group took 1.05 to 1.12 times as long as links allow.
            constexpr double crowding = 1.05;
            const double transfer = crowding * piece * problem.aggregators * way.per_byte;
            seconds += switched_stage_seconds(
                problem.lanes, {way.latency, transfer, stage.radix - 1, grid.costs_together().message_time, combining});
            busy.axis[stage.axis] += transfer;
            continue;
        }
        const LaneWave wave{messages + combining,
                            alone - messages - overlap_seconds(grid, stage, way, piece, combines)};
        seconds += wave.seconds(problem.lanes);
        lag = std::max(lag, wave.lag(problem.lanes));
        // Mirrored lanes exchange with neighbours over the cables that the other leaves idle.
        const bool complementary =
            mirrored_pairs && axis.wrapped && stage.stride == 1 && stage.radix == 2 && axis.size > 2;
        busy.axis[stage.axis] += piece * problem.aggregators * way.per_byte * (complementary ? 0.5 : 1.0);
    }
    return {seconds + lag, lag};
}

/// Seconds of reduce-scatter, which combines, or allgather.
halving_doubling::HalfSeconds half_seconds(const Grid& grid, const Problem& problem, double bytes, bool combines) {
    Busy busy{std::vector<double>(grid.axes().size(), 0)};
    halving_doubling::HalfSeconds slowest_lane;
    for (int lane = 0; lane < problem.lanes; ++lane) {
        const halving_doubling::HalfSeconds own = stages_seconds(grid, problem, lane, bytes, combines, busy);
        if (own.all > slowest_lane.all) slowest_lane = own;
    }
    const double longest = busy.longest(grid);
    halving_doubling::HalfSeconds half =
        longest > slowest_lane.all ? halving_doubling::HalfSeconds{longest} : slowest_lane;
    if (grid.extra_hosts() > 0) half.all += halving_doubling::fold_seconds(grid, problem, bytes, combines);
    return half;
}

/// Where every leaf has one host, a rank sends to one partner after another, with a second message under way so that
/// its cable does not idle in between: all at once, messages would only queue where they meet. Hosts that share a leaf
/// and its cables would meet in every turn; sending to all partners at once evens that out.
int sends_at_once(const Grid& grid, const Problem& problem) {
    return grid.switched() && !problem.in_rank_order && grid.leaves().hosts.largest() == 1 ? 2 : 0;
}

StageOrder stage_order(const Grid& grid, int lane) {
    return {grid, lane};
}

/// A rank with many messages before it sends the first ones first: they are the longest, and others wait for them. One
/// lane and tori are for vectors so short that it counts when the second one begins.
Program build(const Grid& grid, const Problem& problem, int rank) {
    Program program = halving_doubling::write_lanes(grid, problem, rank, stage_order, sends_at_once(grid, problem));
    if (problem.collective == Collective::bcast && grid.most_ranks_per_host() == 1) {
        limit_sends_passed(program, grid.switched() && problem.lanes > 1 ? 0 : 1);
    }
    return program;
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (problem.lanes > 1 || !problem.in_rank_order) return false;
    const StageOrder stages(grid, 0);
    const bool rings = std::ranges::any_of(stages.stages(), [](const Stage& stage) { return !stage.direct; });
    return !rings && ranks_in_operand_order(grid, stages);
}

double seconds(const Grid& grid, const Problem& problem, double bytes) {
    return halving_doubling::seconds_of_halves(grid, problem, bytes, stage_order, half_seconds);
}

std::string refusal(const Grid& grid, const Problem& problem) {
    if (!has_root(problem.collective) || !grid.skewed()) return {};
    return retraces_stages;
}

}  // namespace

extern constinit const Algorithm halving_doubling{
    .name = "halving_doubling",
    .summary = "all halving then all doubling, dimensions sorted by bandwidth, in lanes",
    .collectives = with_reduce_scatter_and_allgather | only(Collective::reduce) | only(Collective::bcast),
    .uses_lanes = true,
    .uses_aggregators = true,
    .receivers_at_once = ReceiversAtOnce::several_through_switches,
    .further_refusal = refusal,
    .in_order = in_order,
    .seconds = seconds,
    .build = build,
};

}  // namespace coll_topo::algorithms
