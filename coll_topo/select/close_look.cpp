// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/close_look.hpp"

#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/replayed_prediction.hpp"

#include <algorithm>
#include <limits>

namespace coll_topo {

void look_closely(const Grid& grid, const Request& request, std::vector<Candidate>& candidates) {
    constexpr double near = 1.5;
    if (!can_replay_on(grid)) return;
    double fastest = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
        const bool may_be_chosen =
            candidate.standing == Standing::eligible || candidate.standing == Standing::on_request;
        if (may_be_chosen) fastest = std::min(fastest, candidate.seconds);
    }
    const auto is_near = [&](const Candidate& candidate) {
        return candidate.standing != Standing::does_not_apply && candidate.seconds <= near * fastest;
    };
    if (std::ranges::count_if(candidates, is_near) < 2) return;  // there is nothing to tell apart
    for (Candidate& candidate : candidates) {
        if (!is_near(candidate)) continue;
        const Prediction prediction(*candidate.algorithm, grid, candidate.problem);
        candidate.seconds =
            close_seconds_of(request.call, prediction, *candidate.algorithm, grid, candidate.problem, request.bytes);
    }
}

}  // namespace coll_topo
