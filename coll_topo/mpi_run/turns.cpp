// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/turns.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo::bench {

namespace {

constexpr double most_notice = 1;
constexpr std::size_t least_calls = 3;  // of those that take less than
constexpr double near_fastest = 2;      // times as long as the fastest
constexpr double hopeless = 4;          // likewise, of a first call: it may grow buffers, and coll_topo makes a plan

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

Turns::Turns(int components, const Limits& limits)
    : limits_(limits),
      notice_(limits.notice),
      order_(static_cast<std::size_t>(components)),
      used_(static_cast<std::size_t>(components)),
      measurements_(static_cast<std::size_t>(components)) {
    std::iota(order_.begin(), order_.end(), 0);
}

Turns::Order Turns::next(double now) const {
    const bool over = round_ == limits_.repetitions;
    return over || measurements_.empty() ? Order{} : Order{component(), now + notice_};
}

void Turns::note(std::span<const Outcome> outcomes) {
    Measurement& measurement = measurements_[static_cast<std::size_t>(component())];
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
    used_[static_cast<std::size_t>(component())] += notice_ + slowest->seconds;
    pass_on();
}

bool Turns::sits_out(int component) const {
    const auto index = static_cast<std::size_t>(component);
    const auto least = [](const Measurement& seen) {
        return *std::min_element(seen.seconds.begin(), seen.seconds.end());
    };
    if (round_ == 0 || used_[index] < limits_.seconds / static_cast<double>(measurements_.size())) return false;
    double fastest = least(measurements_[index]);
    for (const Measurement& other : measurements_) fastest = std::min(fastest, least(other));
    const Measurement& own = measurements_[index];
    if (own.seconds.size() == 1) return own.calls_by_topo == 0 && least(own) >= hopeless * fastest;
    return own.seconds.size() >= least_calls || least(own) >= near_fastest * fastest;
}

std::vector<Measurement> Turns::take() {
    for (Measurement& measurement : measurements_) {
        // Of more calls the median leaves the first one aside.
        if (measurement.seconds.size() == 2 && limits_.repetitions > 2) {
            measurement.seconds.erase(measurement.seconds.begin());
        }
    }
    return std::move(measurements_);
}

void Turns::pass_on() {
    begins_round_ = false;
    do {
        if (++place_ < static_cast<int>(order_.size())) continue;
        place_ = 0;
        ++round_;
        begins_round_ = true;
        if (order_.size() > 2) std::ranges::shuffle(order_, shuffling_);
    } while (round_ < limits_.repetitions && sits_out(component()));
}

}  // namespace coll_topo::bench
