// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/leaf_load.hpp"
#include "coll_topo/fabric/torus_load.hpp"
#include "coll_topo/grid/grid.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

/// Predicts the steps of algorithms that take ranks in their order, wherever these are, so that messages share links.
/// Every message counts on every link that it crosses: on a torus as HostCells::routes() says, through switches from
/// host to leaf to leaf to host (LeafLoad). A step ends when its busiest link has moved all bytes, and each rank has
/// started its messages one after the other and moved what it gets from its own host.
///
/// What it leaves out: that ranks need not begin a step together, and that a host may have fewer ports than links.
class RankOrderCost {
public:
    explicit RankOrderCost(const Grid& grid);

    /// The same for algorithms that take ranks in another order: number n stands for rank order[n].
    RankOrderCost(const Grid& grid, std::vector<std::int32_t> order);

    int ranks() const { return grid_.ranks(); }
    bool one_rank_per_host() const { return grid_.most_ranks_per_host() == 1; }
    MachineCosts machine() const { return grid_.costs_together(); }

    /// Adds a message to the current step. Takes time that grows with the number of axes, not of hops.
    void message(int from, int to, double bytes);
    /// Ends the current step and gives its seconds.
    double step();
    /// The same without the latency of its messages: after so many seconds the next one like it can follow.
    double pace();

    struct Pace {
        double transfer = 0;  ///< seconds, of the busiest link
        double work = 0;      ///< seconds, of the busiest processor
        int messages = 0;     ///< of the rank that sends most
        double start = 0;     ///< seconds, of each of these, on average
    };
    /// Ends the current step and gives what it takes.
    Pace take();

    /// Seconds of a step with only this message.
    double alone(int from, int to, double bytes);

    /// Seconds of the step in which every rank r sends `bytes` to rank r + distance, modulo the number of ranks.
    double shift(int distance, double bytes);
    /// Seconds of the step in which every other rank sends `bytes` to the root.
    double gather(int root, double bytes);
    /// Adds messages of `bytes` from each extra host to its proxy to the current step.
    void fold(double bytes);
    struct RingSeconds {
        double all = 0;
        double idle = 0;  ///< of these, for which the busiest link waits for ranks
    };
    /// Seconds in which `bytes` of every rank go from rank to rank, past all, and each rank spends `work` on what it
    /// gets, seconds. Each step waits for the one before of the previous rank only, so that the ways add up round the
    /// ring, but no step is shorter than the busiest link or rank takes, or the longest way with as many blocks on it
    /// as a rank may be ahead. In lanes the bytes go in as many shares, and a rank works on one while others travel.
    RingSeconds ring(double bytes, double work, int lanes = 1);
    /// Seconds of the steps in which every rank r sends `bytes` to rank r + 1, then r + 2, … then r - 1. On large
    /// machines counted on a sample of these steps, about `most_messages` messages.
    double shifts_in_turn(double bytes);
    /// Seconds in which every rank sends `bytes` to each other rank, all at once. From the number of pairs of hosts
    /// whose ways share a link, as if all hosts had equally many ranks.
    double all_at_once(double bytes);

    static constexpr int most_messages = 1 << 18;

private:
    struct RankLoad {
        int sent = 0;
        int sent_within_host = 0;   // of these
        double local_received = 0;  // bytes from ranks of the same host
    };

    /// Seconds for which links of a torus wait, by axis and direction, while `bytes_to_each` go from every rank to each
    /// other host, to the next one first: no turn needs all links, and ranks start one message after the other.
    std::vector<double> idle_in_turns(double bytes_to_each);

    /// By dimension: pairs of hosts whose routes cross its busiest link in the same direction. Where these do not keep
    /// to the axes, counted on a sample of about `most_messages` of them.
    std::vector<double> pairs_on_busiest_links();

    /// Ends the messages on a torus, and gives the seconds of the busiest link.
    double busiest_link();

    const std::vector<TorusDimension>& dimensions() const { return links_->torus().dimensions(); }
    int rank(int number) const { return order_.empty() ? number : order_[number]; }
    /// A sample of 1 .. modulus - 1, about `most_messages` in all of as many messages each.
    static std::vector<int> distances(int modulus);

    const Grid& grid_;
    std::vector<std::int32_t> order_;  // empty: by rank
    std::optional<TorusLoad> links_;   // torus
    std::optional<LeafLoad> leaves_;   // switches
    std::vector<RankLoad> ranks_;
    double latency_ = 0;  // of the longest way
};

}  // namespace coll_topo
