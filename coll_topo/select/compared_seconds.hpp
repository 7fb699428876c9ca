// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/worth_its_messages.hpp"

#include <limits>

namespace coll_topo {

/// A reference is chosen where it takes less than this part of the time of the others' best.
inline constexpr double reference_is_faster = 0.985;

/// Of what is not compared.
inline constexpr double infinite_seconds = std::numeric_limits<double>::infinity();
/// Of two predictions that are not equally_fast(), the slower one is more than so many times the other.
inline constexpr double just_above = 1 + 1e-8;

inline bool is_eligible(const Candidate& candidate) {
    return candidate.standing == Standing::eligible;
}

inline bool is_competing_reference(const Candidate& candidate) {
    return candidate.standing == Standing::on_request && candidate.algorithm->reference;
}

/// Of what is eligible, the time by which the fastest is chosen.
inline double counted_seconds(const Candidate& candidate) {
    return candidate.problem.lanes > usual_lanes ? candidate.seconds / more_lanes_worth_it : candidate.seconds;
}

/// What counts when the fastest is chosen.
inline double compared_seconds(const Candidate* candidate) {
    if (is_eligible(*candidate)) return counted_seconds(*candidate);
    return is_competing_reference(*candidate) ? candidate->seconds / reference_is_faster : infinite_seconds;
}

}  // namespace coll_topo
