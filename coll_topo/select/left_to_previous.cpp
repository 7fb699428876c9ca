// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/left_to_previous.hpp"

#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/time_sharing.hpp"
#include "coll_topo/select/within_host.hpp"

#include <algorithm>

namespace coll_topo {

namespace {

/// Bytes from which on a call may be served where this rule, or none, is the first that matches.
std::size_t least_bytes(const Grid& grid, Collective collective, const Rule* rule, bool host_memory) {
    constexpr double largest = 0x1p63;
    if (rule != nullptr && rule->choice == Rule::Choice::previous) return LeftToPrevious::all;
    if (grid.hosts() > 1 || (rule != nullptr && rule->choice == Rule::Choice::algorithm)) return 0;
    const double least = least_bytes_within_host(collective, host_memory, TimeSharing::applies(grid));
    return least < largest ? static_cast<std::size_t>(least) : LeftToPrevious::all;
}

}  // namespace

LeftToPrevious left_to_previous(const Grid& grid, Collective collective, const RuleTable& rules, bool host_memory) {
    LeftToPrevious left;
    std::string last;
    for (int range = 0; range < rules.ranges(); ++range) {
        const std::vector<const Rule*> matching = rules.matching(range);
        const Rule* const rule = matching.empty() ? nullptr : matching.front();
        const std::size_t next = range + 1 < rules.ranges() ? rules.first_of(range + 1) : LeftToPrevious::all;
        const std::size_t end = std::min(next, least_bytes(grid, collective, rule, host_memory));
        if (end <= rules.first_of(range)) break;
        const std::string why = rule != nullptr && rule->choice == Rule::Choice::previous
                                    ? "by the rule at " + rule->place()
                                    : std::string(why_not_within_host);
        if (why != last) left.why += (last.empty() ? "" : ", ") + why;
        last = why;
        left.below = end;
        if (end < next) break;
    }
    return left;
}

}  // namespace coll_topo
