// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/algorithm.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace coll_topo {

/// A lane of bcast or reduce in which blocks stream along a chain from or to the root, between the ranks before and
/// after this one; -1 at the ends. Its blocks begin with `first`.
void write_chain(ProgramBuilder& builder, const Problem& problem, int rank, int before, int after, int first = 0);

/// Blocks of a bcast on their way over one cable: those that share it arrive late, all at once. A reduce combines for
/// longer than that.
inline constexpr int chain_blocks_under_way = 3;

/// Predicted seconds of blocks b that stream along a chain of ranks. With t = b/bandwidth, and r = b/reduction where
/// values are combined, the first block takes for each hop
///     o + latency + t + r + max( 0, t - o - r )
/// as the next one follows on the same cable, and the others max( o + r, t + idle, (o + latency + t)/3 ) of the slowest
/// hop: see idle(). Where values are combined, (latency + t + r)/2 is the last, as a rank receives a block while it
/// combines the one before, and nothing is idle. Within a host o + t + r is the time of the receiver's processor.
class ChainCost {
public:
    ChainCost(const MachineCosts& costs, const Problem& problem, double bytes)
        : costs_(costs),
          reduces_(combines(problem.collective)),
          segments_(problem.segments),
          block_(bytes / problem.segments),
          reduction_(reduces_ ? block_ / costs.reduce_bandwidth : 0),
          gap_(costs.message_time + reduction_) {}

    /// Before the hops between hosts.
    void add_within_hosts(int hops) {
        if (hops == 0) return;
        gap_ = costs_.local_message() + block_ / costs_.local_bandwidth + reduction_;
        add(hops, gap_, gap_);
    }

    void add_between_hosts(int hops, double latency, double bandwidth) {
        if (hops == 0) return;
        constexpr int receives_posted = 2;
        const double start = costs_.message_time, transfer = block_ / bandwidth;
        const double alone = start + latency + transfer + reduction_;
        const double under_way = reduces_ ? (alone - start) / receives_posted : alone / chain_blocks_under_way;
        const double cable = transfer + (reduces_ ? 0 : idle(latency, transfer));
        add(hops, alone + std::max(0.0, transfer - gap_), std::max({start + reduction_, cable, under_way}));
    }

    double seconds() const { return first_ + (segments_ - 1) * slowest_; }

private:
    /// For each block, what a cable waits where its way is long: of three that share it, each begun o after the one
    /// before, the first arrives when almost all of the three has passed, and the next one begins only then. That wears
    /// off for long blocks: in simulations on fat trees of 21 to 64 hosts, from twice the latency on.
    double idle(double latency, double transfer) const {
        const double of_three = std::max(0.0, latency - 1.5 * costs_.message_time);
        return of_three / chain_blocks_under_way * std::min(1.0, 2 * latency / transfer);
    }

    void add(int hops, double first, double period) {
        first_ += hops * first;
        slowest_ = std::max(slowest_, period);
    }

    MachineCosts costs_;
    bool reduces_;
    int segments_;
    double block_;
    double reduction_;
    double gap_;  // from one send to the next of the ranks on hosts
    double first_ = 0;
    double slowest_ = 0;
};

/// Of the chain that goes from each rank to after[rank], -1 at its end: ChainCost with the longest latency of a way and
/// the mean of the others, and the bandwidth that the busiest link leaves to a message while all send.
double chain_seconds(const Grid& grid, const Problem& problem, std::span<const std::int32_t> after, double bytes);

}  // namespace coll_topo
