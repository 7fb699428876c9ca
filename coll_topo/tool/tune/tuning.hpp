// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/rules.hpp"
#include "coll_topo/tool/tune/bench_results.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::tool {

/// Faster by less than this is no reason for a rule: noise.
inline constexpr double worth_a_rule = 1.05;

/// What is compared: a component of coll-topo-bench, those of coll_topo with what was fixed of what they use.
struct Contender {
    std::string component;
    FixedSettings fixed;

    auto operator<=>(const Contender&) const = default;
};

/// A size and what was measured for it, microseconds; of several measurements the median.
struct TunedSize {
    std::int64_t bytes = 0;
    std::map<Contender, double> medians;
    double least_by_time = std::numeric_limits<double>::infinity();  ///< of all calls with the choice by predicted time
    std::int64_t most_bytes = 0;                                     ///< the largest size that was measured with it
};

/// Neighbouring sizes with the same fastest choice, and the rule for them; none where predicted time chooses well.
struct TunedStretch {
    std::vector<TunedSize> sizes;
    std::optional<Rule> rule;
};

/// One collective in one setting.
struct TunedCollective {
    BenchSetting setting;
    std::string collective;
    std::vector<TunedStretch> stretches;
    /// Of alltoallv and alltoallw, for which there is one rule or none, as for barrier: sizes want different choices.
    bool undecided = false;
};

struct Tuning {
    std::vector<TunedCollective> collectives;
    std::vector<std::string> notes;  ///< measurements that were left out
};

/// For each setting, collective and size the fastest of: the choice by predicted time, if within 5 % of the fastest;
/// the component `previous`, if faster than all of coll_topo's by more than that; coll_topo's algorithms, or its choice
/// with something fixed. Ranges meet at the geometric mean of measured sizes and end with the smallest and the largest
/// one.
Tuning tune(const std::vector<BenchRun>& runs, const std::string& previous);

/// The rules as a file, with the measurements in comments.
std::string tuning_text(const Tuning& tuning, const std::vector<BenchRun>& runs, const std::string& previous);

}  // namespace coll_topo::tool
