// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/pattern.hpp"

#include <optional>
#include <random>
#include <span>
#include <vector>

namespace coll_topo::bench {

/// What one rank saw of one call.
struct Outcome {
    double seconds = 0;  ///< from the common start to the end on this rank
    int late = 0;        ///< 1: this rank heard of the start only after it
    int topo_runs = 0;   ///< schedules that coll_topo ran
    int wrong = 0;       ///< 1: the result is wrong, at `index` of the receive buffer
    Element found = 0;
    Element expected = 0;
    long long index = 0;
};

struct WrongResult {
    int rank;
    Outcome outcome;
};

/// All that was seen of one component in one case.
struct Measurement {
    std::vector<double> seconds;  ///< of each call: from the common start to the end of the slowest rank
    int calls = 0;                ///< also those whose time does not count
    int late_calls = 0;           ///< of those that count: some rank started late
    int calls_by_topo = 0;        ///< coll_topo ran them on all ranks
    int calls_partly_by_topo = 0;
    int wrong_calls = 0;
    std::optional<WrongResult> first_wrong;
};

/// Which component is called next, and when: two A B A B, more in a new order in each round, since what a call leaves
/// behind (buffers, the state of connections) changes the time of the next. Each may use an equal share of the time and
/// is then left out; but all have one call, those that are not hopeless, and those for which coll_topo has made a plan,
/// a second, and those that take less than twice the time of the fastest have three. A call for which some rank was
/// late does not count and is called again, with more notice, a limited number of times.
class Turns {
public:
    struct Limits {
        int repetitions = 1;
        double seconds = 0;  ///< for all components together
        double notice = 0;   ///< seconds from an order to the start, at first
    };
    struct Order {
        int component = -1;  ///< -1: no more
        double start = 0;
    };

    Turns(int components, const Limits& limits);

    Order next(double now) const;
    void note(std::span<const Outcome> outcomes);

    int round() const { return round_; }
    bool begins_round() const { return begins_round_; }  ///< the next call is the first of its round
    double notice() const { return notice_; }
    /// What was seen. Of a component that was called twice only, for want of time, the second call counts.
    std::vector<Measurement> take();

private:
    int component() const { return order_[static_cast<std::size_t>(place_)]; }
    bool sits_out(int component) const;
    void pass_on();

    Limits limits_;
    double notice_;
    int round_ = 0;
    std::vector<int> order_;  // of the components in this round
    int place_ = 0;           // in the order
    std::mt19937 shuffling_;
    bool begins_round_ = true;
    int repeats_left_ = 20;
    std::vector<double> used_;  // seconds, with the notice, of every component
    std::vector<Measurement> measurements_;
};

}  // namespace coll_topo::bench
