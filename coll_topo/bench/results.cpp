// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/results.hpp"

#include "coll_topo/mpi_run/median.hpp"

#include <algorithm>

namespace coll_topo::bench {

std::vector<Row> rows_of(const CaseFacts& facts, const std::vector<std::string>& components,
                         const std::vector<Measurement>& measurements) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const Measurement& seen = measurements[i];
        Row row;
        row.collective = facts.collective;
        row.bytes = facts.bytes;
        row.component = components[i];
        row.repetitions = static_cast<int>(seen.seconds.size());
        row.median = median(seen.seconds);
        row.least = *std::min_element(seen.seconds.begin(), seen.seconds.end());
        row.most = *std::max_element(seen.seconds.begin(), seen.seconds.end());
        row.bus_bandwidth = static_cast<double>(facts.bytes) * facts.bus_share / row.median;
        row.bound = facts.bound;
        row.calls = seen.calls;
        row.late_calls = seen.late_calls;
        row.calls_by_topo = seen.calls_by_topo;
        row.calls_partly_by_topo = seen.calls_partly_by_topo;
        row.wrong_calls = seen.wrong_calls;
        row.load = facts.load;
        rows.push_back(std::move(row));
    }
    for (Row& row : rows) {
        for (const Row& other : rows) row.ratios.push_back(row.median / other.median);
    }
    return rows;
}

}  // namespace coll_topo::bench
