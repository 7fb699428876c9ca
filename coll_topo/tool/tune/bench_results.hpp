// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// What coll_topo sees of the ranks of a run.
struct GridFacts {
    std::string shape;  ///< sizes of the axes: "4x4"
    int hosts = 0;
    int least_ranks_per_host = 0;
    int most_ranks_per_host = 0;

    bool operator==(const GridFacts&) const = default;
};

/// On what coll-topo-bench measured; what differs in it is not compared.
struct BenchSetting {
    int ranks = 0;
    GridFacts grid;

    bool operator==(const BenchSetting&) const = default;
};

/// What parameters of coll_topo fixed for all of its algorithms; 0: left to it.
struct FixedSettings {
    int lanes = 0;
    int segments = 0;
    int aggregators = 0;

    auto operator<=>(const FixedSettings&) const = default;
};

/// What one component took for a collective of one size.
struct BenchCase {
    std::string collective;
    std::int64_t bytes = 0;
    std::string component;        ///< "topo", "topo:bfb", "tuned"
    double median = 0;            ///< microseconds
    bool served = false;          ///< by this component
    bool right = false;           ///< in all calls
    double least = 0;             ///< of all calls, microseconds
    std::int64_t most_bytes = 0;  ///< it stands for sizes up to this; 0: only for `bytes`
    double bound = 0;             ///< that no schedule beats, microseconds; 0: not known
};

/// A run of coll-topo-bench.
struct BenchRun {
    std::string file;
    BenchSetting setting;
    FixedSettings fixed;
    std::string network;
    std::string mpi;
    std::string command;
    std::vector<BenchCase> cases;
};

/// Reads what coll-topo-bench --format json wrote; `file` is its name in messages.
Expected<BenchRun> parse_bench_results(std::string_view text, const std::string& file);

}  // namespace coll_topo::tool
