// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo::acceptance {

/// What the tests of a CablePlan gave; 0 where there is no result.
struct CableMeasurement {
    std::vector<double> latency;   ///< by pair: half of the fastest round trip, seconds
    std::vector<double> alone;     ///< by test: all its messages, bytes/s, until the last one has arrived
    std::vector<double> together;  ///< likewise; of several rounds the slowest
    std::vector<int> silent = {};  ///< hosts that did not answer; their tests have no result
};

}  // namespace coll_topo::acceptance
