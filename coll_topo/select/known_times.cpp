// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/known_times.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo {

std::optional<double> KnownTimes::seconds(const Candidate& candidate, double limit) const {
    const auto tells = [&](const Known& known) {
        return known.is_of(candidate) && (known.is_whole() || known.seconds > limit);
    };
    const auto found = std::ranges::find_if(all_, tells);
    return found != all_.end() ? std::optional(found->seconds) : std::nullopt;
}

double KnownTimes::at_least(const Candidate& candidate) const {
    double most = 0;
    for (const Known& known : all_) {
        if (known.is_of(candidate) && !known.is_whole()) most = std::max(most, known.seconds);
    }
    return most;
}

bool KnownTimes::has_replay(const Candidate& candidate) const {
    return std::ranges::any_of(all_, [&](const Known& known) { return known.is_of(candidate) && known.replayed; });
}

bool KnownTimes::has_whole_replay(const Candidate& candidate) const {
    return std::ranges::any_of(
        all_, [&](const Known& known) { return known.is_of(candidate) && known.replayed && known.is_whole(); });
}

void KnownTimes::add_replay(const Candidate& candidate, double limit) {
    all_.push_back({candidate.algorithm, candidate.problem, candidate.seconds, limit, true});
}

void KnownTimes::set_formula(const Candidate& candidate) {
    forget_formula(candidate);
    constexpr double never = std::numeric_limits<double>::infinity();
    all_.push_back({candidate.algorithm, candidate.problem, candidate.seconds, never, false});
}

void KnownTimes::forget_formula(const Candidate& candidate) {
    std::erase_if(all_, [&](const Known& known) { return known.is_of(candidate) && !known.replayed; });
}

void KnownTimes::forget(const Candidate& candidate) {
    std::erase_if(all_, [&](const Known& known) { return known.is_of(candidate); });
}

}  // namespace coll_topo
