// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/partial_measurement.hpp"

#include <algorithm>

namespace coll_topo::acceptance {

namespace {

/// The results of tests in rounds from `first` on replace those known; of tests that have been in an earlier round too,
/// the worse one counts.
void take(const std::vector<Round>& rounds, int first, const std::vector<double>& more, std::vector<double>& known) {
    std::vector<bool> seen(known.size(), false);
    for (int number = 0; number < static_cast<int>(rounds.size()); ++number) {
        for (const int index : rounds[static_cast<std::size_t>(number)]) {
            const auto test = static_cast<std::size_t>(index);
            if (number >= first) known[test] = seen[test] ? std::min(known[test], more[test]) : more[test];
            seen[test] = true;
        }
    }
}

void add_silent(const CableMeasurement& more, CableMeasurement& all) {
    for (const int host : more.silent) {
        if (std::find(all.silent.begin(), all.silent.end(), host) == all.silent.end()) all.silent.push_back(host);
    }
    std::sort(all.silent.begin(), all.silent.end());
}

}  // namespace

int number_of_rounds(const CablePlan& plan) {
    return static_cast<int>(plan.latency.size() + plan.alone.size() + plan.together.size());
}

CableMeasurement joined(const CablePlan& plan, const CableMeasurement& first, int next,
                        const CableMeasurement& second) {
    CableMeasurement all = first;
    const int alone = static_cast<int>(plan.latency.size());
    const int together = alone + static_cast<int>(plan.alone.size());
    take(plan.latency, next, second.latency, all.latency);
    take(plan.alone, next - alone, second.alone, all.alone);
    take(plan.together, next - together, second.together, all.together);
    add_silent(second, all);
    return all;
}

}  // namespace coll_topo::acceptance
