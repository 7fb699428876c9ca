// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <span>
#include <string>

namespace coll_topo {

/// What is decided for the sizes from `bytes` on.
struct SizedDecision {
    double bytes;
    Decision decision;
};

/// How much is said of choices.
enum class Detail : std::uint8_t {
    choices = 1,
    runners_up = 2,  ///< also the fastest of those that were not chosen, and why not
    candidates = 3,  ///< also all others
};

/// A table for people with a line for each stretch of sizes that are served alike, ascending: from size, algorithm,
/// lanes, predicted time. A call without sizes has one decision.
std::string choices_text(Call call, std::span<const SizedDecision> decisions, Detail detail, std::size_t indent = 0);

/// A table for people of all that a decision is between, the fastest first. Short: the best candidate of each
/// algorithm; what does not apply, or runs only when asked for, in a few words below. Whole: a line for each candidate.
std::string candidates_text(const Decision& decision, bool whole);

/// "bcast of any size, compared for 64 KiB to each rank"; "allreduce, operation does not commute".
std::string call_text(const Request& request, int pieces);

/// "3 % slower", "4.2 times as long": a time compared to another.
std::string compared_text(double seconds, double to);

/// "ring, swing (too few hosts); submesh (for switches)": candidates that are refused, by reason.
std::string refused_text(std::span<const Candidate> refused);

/// Why a candidate is not the one that was chosen; "chosen" for that one.
std::string remark_on(const Decision& decision, const Candidate& candidate);

}  // namespace coll_topo
