// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/speed_stage.hpp"

#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr double microseconds = 1e-6;
constexpr const char* own = "topo";

/// Adds what a run says of components that chose for themselves.
void add_run(const BenchRun& run, std::vector<SpeedCase>& cases) {
    for (const BenchCase& one : run.cases) {
        if (one.component.find(':') != std::string::npos) continue;
        auto known = std::find_if(cases.begin(), cases.end(), [&](const SpeedCase& speed) {
            return speed.collective == one.collective && speed.bytes == one.bytes;
        });
        if (known == cases.end()) {
            known = cases.insert(cases.end(), SpeedCase{});
            known->collective = one.collective;
            known->bytes = one.bytes;
        }
        if (one.bound > 0) known->bound = one.bound * microseconds;
        known->right = known->right && one.right;
        if (one.component == own) {
            known->served = one.served;
        } else if (!one.served) {
            continue;  // coll_topo served it, so that it says nothing of the other
        }
        known->components[one.component] = {one.median * microseconds, one.least * microseconds};
    }
}

void compare(SpeedCase& speed, double most_slower) {
    const auto topo = speed.components.find(own);
    const ComponentTime* best = nullptr;
    for (const auto& [name, time] : speed.components) {
        if (name == own || (best != nullptr && time.median >= best->median)) continue;
        best = &time;
        speed.best_other = name;
    }
    if (best == nullptr || topo == speed.components.end() || best->median <= 0) return;
    speed.slower = topo->second.median / best->median - 1;
    speed.lost = speed.slower > most_slower && topo->second.least > best->least;
}

/// The algorithm of coll_topo that is fastest, if it is fast enough.
std::string mending(const std::vector<BenchRun>& runs, const SpeedCase& speed, double most_slower) {
    const BenchCase* best = nullptr;
    for (const BenchRun& run : runs) {
        for (const BenchCase& one : run.cases) {
            if (one.collective != speed.collective || one.bytes != speed.bytes || !one.served || !one.right) continue;
            if (!one.component.starts_with("topo:") || (best != nullptr && one.median >= best->median)) continue;
            best = &one;
        }
    }
    const auto other = speed.components.find(speed.best_other);
    if (best == nullptr || other == speed.components.end()) return {};
    return best->median * microseconds <= (1 + most_slower) * other->second.median ? best->component.substr(5) : "";
}

}  // namespace

std::vector<SpeedCase> speed_cases(const std::vector<BenchRun>& runs, const std::vector<BenchRun>& repeated,
                                   double most_slower, const Predictor& predict) {
    std::vector<SpeedCase> cases, again;
    for (const BenchRun& run : runs) add_run(run, cases);
    for (const BenchRun& run : repeated) add_run(run, again);
    for (SpeedCase& speed : again) compare(speed, most_slower);
    for (SpeedCase& speed : cases) {
        compare(speed, most_slower);
        speed.predicted = speed.served ? predict(speed.collective, speed.bytes) : std::nullopt;
        const auto second = std::find_if(again.begin(), again.end(), [&](const SpeedCase& other) {
            return speed.collective == other.collective && speed.bytes == other.bytes;
        });
        if (!speed.lost || second == again.end()) continue;
        speed.repeated = true;
        speed.lost = second->lost;
        speed.right = speed.right && second->right;
        if (speed.lost) speed.mended_by = mending(repeated, *second, most_slower);
    }
    return cases;
}

std::optional<double> prediction_factor(const SpeedCase& speed) {
    const auto topo = speed.components.find(own);
    if (!speed.predicted || topo == speed.components.end() || *speed.predicted <= 0 || topo->second.median <= 0) {
        return std::nullopt;
    }
    const double ratio = topo->second.median / *speed.predicted;
    return std::max(ratio, 1 / ratio);
}

std::optional<double> share_of_bound(const SpeedCase& speed) {
    const auto topo = speed.components.find(own);
    if (!speed.bound || topo == speed.components.end() || topo->second.median <= 0) return std::nullopt;
    return *speed.bound / topo->second.median;
}

}  // namespace coll_topo::tool
