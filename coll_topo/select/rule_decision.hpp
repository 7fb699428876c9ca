// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/choice_text.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/rules.hpp"

#include <span>

namespace coll_topo {

/// The decision by the first matching rule that can be followed; without one, that of decide(). An algorithm that the
/// user named, and a fixed order of operands, override all rules; lanes, segments and aggregators that the user fixed
/// override those of a rule. With Algorithm=previous the candidates are listed and none is chosen.
Decision decide_by_rules(const Grid& grid, const Request& request, const Preferences& preferences,
                         std::span<const Rule* const> matching);

/// Consecutive classes of sizes, see size_class().
struct SizeClasses {
    int first;
    int last;
};

/// Up to 1 GiB.
inline constexpr SizeClasses all_size_classes = {1, 31};

/// The decisions for all sizes of these classes, ascending: from each power of two on, and from each size where other
/// rules match. The size in `request` does not matter; calls without sizes have one decision.
std::vector<SizedDecision> decide_for_sizes(SizeClasses classes, const Grid& grid, Request request,
                                            const Preferences& preferences, const RuleTable& rules);

}  // namespace coll_topo
