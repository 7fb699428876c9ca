// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/overlap_results.hpp"

#include "coll_topo/bench/results.hpp"
#include "coll_topo/mpi_run/median.hpp"

namespace coll_topo::bench {

bool OverlapRow::served() const {
    return is_served(component, calls, calls_by_topo, calls_partly_by_topo);
}

std::vector<OverlapRow> overlap_rows(const OverlapCase& facts, const std::string& component,
                                     const std::vector<int>& tests, const OverlapMeasurement& seen) {
    std::vector<OverlapRow> rows;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        OverlapRow row;
        row.collective = facts.collective;
        row.bytes = facts.bytes;
        row.component = component;
        row.tests = tests[i];
        row.repetitions = static_cast<int>(seen.both[i].seconds.size());
        row.blocking = median(seen.blocking.seconds);
        row.nonblocking = median(seen.nonblocking.seconds);
        row.computation = median(seen.computation.seconds);
        row.both = median(seen.both[i].seconds);
        for (const Measurement* const one : {&seen.nonblocking, &seen.both[i]}) {
            row.calls += one->calls;
            row.late_calls += one->late_calls;
            row.calls_by_topo += one->calls_by_topo;
            row.calls_partly_by_topo += one->calls_partly_by_topo;
            row.wrong_calls += one->wrong_calls;
        }
        row.load = facts.load;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace coll_topo::bench
