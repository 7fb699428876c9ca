// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/tune/bench_results.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Times of a component, in seconds.
struct ComponentTime {
    double median = 0;
    double least = 0;
};

/// One collective at one size.
struct SpeedCase {
    std::string collective;
    std::int64_t bytes = 0;
    std::map<std::string, ComponentTime> components;  ///< "topo" and others that chose for themselves
    std::optional<double> bound;                      ///< s, that no schedule beats
    std::optional<double> predicted;                  ///< s, of coll_topo's choice
    std::string best_other;                           ///< the fastest of the others; empty: there is none
    double slower = 0;                                ///< coll_topo's median over its, minus 1; below 0: faster
    /// Slower by more than is allowed than one of the others, by median and by the fastest call; if it was repeated,
    /// twice than the same one, which is then `best_other`.
    bool lost = false;
    bool repeated = false;  ///< it was measured a second time
    bool served = true;     ///< by coll_topo; if not, the module before did
    bool right = true;
    std::string mended_by;  ///< an algorithm of coll_topo that would not lose; empty: none was found
};

struct SpeedStage {
    std::vector<SpeedCase> cases;
    std::vector<std::string> missing;  ///< collectives that were to be measured, and were not
    std::string rules;                 ///< a file of rules that would mend what is lost; empty: none would
};

/// Predicts seconds of coll_topo's choice; nothing where it leaves the call to the module before.
using Predictor = std::function<std::optional<double>(const std::string& collective, std::int64_t bytes)>;

/// What runs of coll-topo-bench say: the first measurements, and second ones of what seemed lost, with all of
/// coll_topo's algorithms. `most_slower` as in AcceptanceLimits.
std::vector<SpeedCase> speed_cases(const std::vector<BenchRun>& runs, const std::vector<BenchRun>& repeated,
                                   double most_slower, const Predictor& predict);

/// The factor between what was predicted and measured, 1 or more; nothing if there is no prediction.
std::optional<double> prediction_factor(const SpeedCase& speed);

/// The share of the bound that coll_topo reaches.
std::optional<double> share_of_bound(const SpeedCase& speed);

}  // namespace coll_topo::tool
