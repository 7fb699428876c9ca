// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/measurement.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// Results that were seen once only: the best of a test is better than all others by more than noise.
struct Doubts {
    std::vector<bool> latency = {};   ///< by pair
    std::vector<bool> alone = {};     ///< by test
    std::vector<bool> together = {};  ///< by test
};

/// Several complete measurements by the same plan as one. The best result of each test counts, as noise only makes
/// results worse; but what is bad counts only if it was seen twice, for both times something else may have been in the
/// way. How much two results may differ follows from how much all do.
class RepeatedMeasurement {
public:
    explicit RepeatedMeasurement(const CableMeasurement& first);

    void add(const CableMeasurement& again);

    int times() const { return times_; }
    const CableMeasurement& best() const { return best_; }
    /// After one measurement: all.
    Doubts doubts() const;

private:
    CableMeasurement best_, second_;
    int times_ = 1;
};

}  // namespace coll_topo::acceptance
