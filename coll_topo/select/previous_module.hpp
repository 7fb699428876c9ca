// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <optional>

namespace coll_topo {

/// What the previous module, tuned, does with a request, as a candidate whose row does the same, predicted by its
/// formula. Nothing if it is not to be compared, or if no row does the same, so that there is no prediction.
std::optional<Candidate> predict_previous(const Grid& grid, const Request& request, const Preferences& preferences);

/// "previous module (tuned: ring), predicted 3.2 ms"
std::string previous_text(const Candidate& previous);

/// It is clearly faster than another row if it takes less than this part of its time: so far predictions can tell.
inline constexpr double previous_is_faster = 0.95;
bool is_clearly_faster(const Candidate& previous, const Candidate& other);

}  // namespace coll_topo
