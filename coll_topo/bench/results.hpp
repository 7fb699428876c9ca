// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/mpi_run/turns.hpp"
#include "coll_topo/simulate/bounds.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

inline bool is_topo(std::string_view component) {
    return component == "topo" || component.starts_with("topo:");
}

/// The component in the first column did the work, as far as can be seen from outside: coll_topo all of its own calls,
/// and none of another's.
inline bool is_served(std::string_view component, int calls, int by_topo, int partly_by_topo) {
    return is_topo(component) ? by_topo == calls : by_topo + partly_by_topo == 0;
}

/// One component in one case: a line of the table.
struct Row {
    std::string collective;
    std::int64_t bytes = 0;  ///< as sent, thus whole elements for every rank
    std::string component;
    int repetitions = 0;
    double median = 0;  ///< seconds, as the next two
    double least = 0;
    double most = 0;
    double bus_bandwidth = 0;  ///< bytes/s, as nccl-tests defines it
    std::optional<simulate::Bound> bound;
    std::vector<double> ratios;  ///< the median over that of each component of the case
    int calls = 0;
    int late_calls = 0;
    int calls_by_topo = 0;
    int calls_partly_by_topo = 0;
    int wrong_calls = 0;
    std::optional<double> load;  ///< of the busiest machine before the case, 0 .. 1

    std::optional<double> share_of_bound() const {
        return bound && median > 0 ? std::optional(bound->seconds() / median) : std::nullopt;
    }
    bool of_topo() const { return is_topo(component); }
    bool served() const { return is_served(component, calls, calls_by_topo, calls_partly_by_topo); }
};

/// The rows of a case, in the order of its components.
struct CaseFacts {
    std::string collective;
    std::int64_t bytes = 0;
    double bus_share = 1;  ///< as in Operation
    std::optional<simulate::Bound> bound;
    std::optional<double> load;
};
std::vector<Row> rows_of(const CaseFacts& facts, const std::vector<std::string>& components,
                         const std::vector<Measurement>& measurements);

}  // namespace coll_topo::bench
