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

/// By how much coll_topo is slower than another component; nothing if one of them was not measured.
std::optional<double> slower_than(const SpeedCase& speed, const std::string& other) {
    const auto topo = speed.components.find(own), rival = speed.components.find(other);
    if (topo == speed.components.end() || rival == speed.components.end() || rival->second.median <= 0) {
        return std::nullopt;
    }
    return topo->second.median / rival->second.median - 1;
}

bool loses_to(const SpeedCase& speed, const std::string& other, double most_slower) {
    const auto slower = slower_than(speed, other);
    return slower && *slower > most_slower && speed.components.at(own).least > speed.components.at(other).least;
}

/// Compares with the one that is fastest of those that coll_topo loses to, here and in `repeated`; if there is none,
/// with the fastest. The fastest of several is, by chance, often another one the next time.
void compare(SpeedCase& speed, const SpeedCase* repeated, double most_slower) {
    const ComponentTime* best = nullptr;
    speed.lost = false;
    for (const auto& [name, time] : speed.components) {
        if (name == own || time.median <= 0) continue;
        const bool lost =
            loses_to(speed, name, most_slower) && (repeated == nullptr || loses_to(*repeated, name, most_slower));
        if (best != nullptr && (speed.lost == lost ? time.median >= best->median : speed.lost)) continue;
        best = &time;
        speed.lost = lost;
        speed.best_other = name;
    }
    speed.slower = slower_than(speed, speed.best_other).value_or(0);
}

/// The algorithm of coll_topo that is fastest, if it is fast enough.
std::string mending(const std::vector<BenchRun>& runs, const SpeedCase& repeated, const std::string& rival,
                    double most_slower) {
    const BenchCase* best = nullptr;
    for (const BenchRun& run : runs) {
        for (const BenchCase& one : run.cases) {
            if (one.collective != repeated.collective || one.bytes != repeated.bytes) continue;
            if (!one.served || !one.right) continue;
            if (!one.component.starts_with("topo:") || (best != nullptr && one.median >= best->median)) continue;
            best = &one;
        }
    }
    const auto other = repeated.components.find(rival);
    if (best == nullptr || other == repeated.components.end()) return {};
    return best->median * microseconds <= (1 + most_slower) * other->second.median ? best->component.substr(5) : "";
}

}  // namespace

std::vector<SpeedCase> speed_cases(const std::vector<BenchRun>& runs, const std::vector<BenchRun>& repeated,
                                   double most_slower, const Predictor& predict) {
    std::vector<SpeedCase> cases, again;
    for (const BenchRun& run : runs) add_run(run, cases);
    for (const BenchRun& run : repeated) add_run(run, again);
    for (SpeedCase& speed : cases) {
        compare(speed, nullptr, most_slower);
        speed.predicted = speed.served ? predict(speed.collective, speed.bytes) : std::nullopt;
        const auto second = std::find_if(again.begin(), again.end(), [&](const SpeedCase& other) {
            return speed.collective == other.collective && speed.bytes == other.bytes;
        });
        if (!speed.lost || second == again.end()) continue;
        speed.repeated = true;
        compare(speed, &*second, most_slower);
        speed.right = speed.right && second->right;
        if (speed.lost) speed.mended_by = mending(repeated, *second, speed.best_other, most_slower);
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
