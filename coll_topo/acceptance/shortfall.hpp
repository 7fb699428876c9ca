// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/acceptance/measurement.hpp"
#include "coll_topo/acceptance/repeated_measurement.hpp"

#include <optional>
#include <vector>

namespace coll_topo::acceptance {

/// How far what was measured is from what is expected of a cluster: for each test the logarithm of the ratio, where
/// that is beyond what counts as noise, else 0.
struct Shortfall {
    std::vector<double> latency;   ///< by pair
    std::vector<double> alone;     ///< by test
    std::vector<double> together;  ///< by test
    std::vector<double> share;     ///< by test: measured alone, of what is expected and usual for its kind
    double total = 0;
};

/// Tests that should be equally good, as a number for each test: those of one dimension of a torus, of cables of hosts,
/// or of cables between switches.
std::vector<int> kinds_of_tests(const CablePlan& plan, const Fabric& file, const LinkGraph& graph);

/// Compares what was measured with what is expected of a cluster. Only ratios to the median of the same kind of test
/// count, so that what slows down all alike is no shortfall; where the median is above what the file says, to the file.
/// What is better than expected of the file counts as equal to that. Latencies only count if those that are longer by
/// the file are. `least` is the share below which a bandwidth is too small.
class Comparison {
public:
    Comparison(const CablePlan& plan, const Fabric& file, const LinkGraph& graph, const CableMeasurement& measured,
               const CableMeasurement& of_file, double least);

    /// Unless `to_median`, compared with the expected itself.
    Shortfall with(const CableMeasurement& expected, bool to_median = true) const;

    /// From now on results that are in doubt and, by the shortfall of the file, unlike it count as expected. Returns
    /// the tests that have such a bandwidth.
    std::vector<int> leave_out(const Doubts& doubts, const Shortfall& of_file);

    /// By kind: the median of what tests gave alone, as a share of what is expected.
    std::vector<double> usual(const CableMeasurement& expected) const;

private:
    std::vector<double> medians(const std::vector<double>& measured, const std::vector<double>& expected,
                                const std::vector<bool>& left_out) const;
    std::vector<double> bandwidths(const std::vector<double>& measured, const std::vector<double>& of_file,
                                   const std::vector<double>& expected, const std::vector<bool>& left_out, double noise,
                                   bool to_median, std::vector<double>* share) const;
    std::vector<double> latencies(const std::vector<double>& expected) const;
    bool latencies_tell_distances() const;

    const CableMeasurement& measured_;
    const CableMeasurement& of_file_;
    std::vector<int> kinds_;
    std::vector<bool> pair_silent_, test_silent_;
    Doubts left_out_;
    double noise_;    // logarithm
    bool known_;      // the file gives all bandwidths
    bool distances_;  // latencies are longer where the file says so
};

}  // namespace coll_topo::acceptance
