// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/one_memory.hpp"

#include "coll_topo/select/time_sharing.hpp"

#include <string>

namespace coll_topo {
namespace {

/// A reference takes less than this part of what was chosen for the network: TimeSharing tells no more.
constexpr double clearly = 0.9;

double seconds_in_turns(const Candidate& candidate, const Grid& grid, double bytes) {
    const TimeSharing turns(*candidate.algorithm, grid, candidate.problem);
    return turns.work(candidate.problem.segments, bytes) + turns.waiting(candidate.problem.segments);
}

std::string why_not_in_turns(const Grid& grid) {
    return "for the network; here " + std::to_string(grid.ranks()) + " ranks take turns on " +
           std::to_string(grid.processors()) + (grid.processors() == 1 ? " processor" : " processors");
}

}  // namespace

bool choose_for_one_memory(const Grid& grid, const Request& request, const Preferences& preferences,
                           Decision& decision) {
    if (grid.hosts() == 1 || !TimeSharing::applies(grid) || !preferences.compare_with_tuned) return false;
    int best = decision.chosen;
    double least = clearly * seconds_in_turns(decision.candidates[best], grid, request.bytes);
    for (int number = 0; number < static_cast<int>(decision.candidates.size()); ++number) {
        const Candidate& candidate = decision.candidates[number];
        if (!candidate.algorithm->reference || candidate.standing != Standing::on_request) continue;
        const double seconds = seconds_in_turns(candidate, grid, request.bytes);
        if (seconds >= least) continue;
        best = number;
        least = seconds;
    }
    if (best == decision.chosen) return false;
    for (Candidate& candidate : decision.candidates) {
        if (candidate.standing != Standing::eligible) continue;
        candidate.standing = Standing::not_worth_it;
        candidate.refusal = why_not_in_turns(grid);
    }
    Candidate& chosen = decision.candidates[best];
    chosen.standing = Standing::eligible;
    chosen.refusal.clear();
    chosen.seconds = least;
    decision.chosen = best;
    return true;
}

}  // namespace coll_topo
