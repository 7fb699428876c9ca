// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/turns.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// What was seen of one component in one case.
struct OverlapMeasurement {
    Measurement blocking;
    Measurement nonblocking;        ///< begun, and waited for at once
    Measurement computation;        ///< alone
    std::vector<Measurement> both;  ///< begun, computation, waited for: one for each number of calls of MPI_Test
};

/// One component with one number of calls of MPI_Test: a line of the table.
struct OverlapRow {
    std::string collective;
    std::int64_t bytes = 0;
    std::string component;
    int tests = 0;
    int repetitions = 0;  ///< of both
    double blocking = 0;  ///< seconds, median, as the next three
    double nonblocking = 0;
    double computation = 0;
    double both = 0;
    int calls = 0;  ///< nonblocking ones, as the next four: those that `nonblocking` and `both` are of
    int late_calls = 0;
    int calls_by_topo = 0;
    int calls_partly_by_topo = 0;
    int wrong_calls = 0;
    std::optional<double> load;  ///< of the busiest machine before the case, 0 .. 1

    /// The share of the communication that takes no time beside the computation: 1 where both take no longer than the
    /// computation alone, 0 where they take as long as one after the other, negative where even longer.
    double overlap() const { return nonblocking > 0 ? 1 - (both - computation) / nonblocking : 0; }
    bool served() const;  ///< as of Row
};

struct OverlapCase {
    std::string collective;
    std::int64_t bytes = 0;
    std::optional<double> load;
};

/// The rows of a component in a case, one for each number of tests.
std::vector<OverlapRow> overlap_rows(const OverlapCase& facts, const std::string& component,
                                     const std::vector<int>& tests, const OverlapMeasurement& seen);

}  // namespace coll_topo::bench
