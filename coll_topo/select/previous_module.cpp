// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/previous_module.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/tuned_choices.hpp"

namespace coll_topo {

std::optional<Candidate> predict_previous(const Grid& grid, const Request& request, const Preferences& preferences) {
    // Within a host measurements decide (within_host.hpp), not what is known of links.
    const bool compared = preferences.compare_with_tuned && preferences.algorithm == nullptr &&
                          !preferences.never_defer && !preferences.fixed_order && grid.hosts() > 1;
    if (!compared || !request.commutative || !has_size(request.call)) return std::nullopt;
    const Algorithm* const row = find_algorithm(tuned_row(request.collective(), grid.ranks(), request.bytes));
    const Problem problem{request.collective(), 1, 1, 1, request.root};  // tuned cuts nothing by default
    if (row == nullptr || !row->serves(request.call) || !row->refusal(grid, problem).empty()) return std::nullopt;
    return Candidate{row, problem, seconds_of(request.call, *row, grid, problem, request.bytes), ""};
}

std::string previous_text(const Candidate& previous) {
    return "previous module (tuned: " + std::string(previous.algorithm->name) + "), predicted " +
           duration_text(previous.seconds);
}

bool is_clearly_faster(const Candidate& previous, const Candidate& other) {
    return previous.seconds < previous_is_faster * other.seconds;
}

}  // namespace coll_topo
