// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/turns.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

constexpr double most_notice = 1;

void note_result(Measurement& measurement, std::span<const Outcome> outcomes) {
    const auto wrong =
        std::find_if(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.wrong != 0; });
    if (wrong == outcomes.end()) return;
    ++measurement.wrong_calls;
    if (!measurement.first_wrong) measurement.first_wrong = {static_cast<int>(wrong - outcomes.begin()), *wrong};
}

void note_service(Measurement& measurement, std::span<const Outcome> outcomes) {
    const auto by_topo = [](const Outcome& outcome) { return outcome.topo_runs > 0; };
    if (std::all_of(outcomes.begin(), outcomes.end(), by_topo)) {
        ++measurement.calls_by_topo;
    } else if (std::any_of(outcomes.begin(), outcomes.end(), by_topo)) {
        ++measurement.calls_partly_by_topo;
    }
}

}  // namespace

Turns::Order Turns::next(double now) const {
    const bool new_round = component_ == 0 && round_ > 0;
    const bool over = round_ == limits_.repetitions || (new_round && now - begin_ >= limits_.seconds);
    return over || measurements_.empty() ? Order{} : Order{component_, now + notice_};
}

void Turns::note(std::span<const Outcome> outcomes) {
    Measurement& measurement = measurements_[static_cast<std::size_t>(component_)];
    ++measurement.calls;
    note_result(measurement, outcomes);
    note_service(measurement, outcomes);
    const bool late = std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.late != 0; });
    if (late) notice_ = std::min(2 * notice_, most_notice);
    if (late && repeats_left_ > 0) {
        --repeats_left_;
        return;
    }
    measurement.late_calls += late;
    const auto slowest = std::max_element(outcomes.begin(), outcomes.end(),
                                          [](const Outcome& a, const Outcome& b) { return a.seconds < b.seconds; });
    measurement.seconds.push_back(slowest->seconds);
    if (++component_ == static_cast<int>(measurements_.size())) {
        component_ = 0;
        ++round_;
    }
}

}  // namespace coll_topo::bench
