// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <optional>

namespace coll_topo {

/// What the previous module, tuned, is predicted to do with a request, as a candidate whose row does the same. Nothing
/// if it is not to be compared, or if no row does the same, so that there is no prediction.
std::optional<Candidate> predict_previous(const Grid& grid, const Request& request, const Preferences& preferences);

/// "previous module (tuned: ring), predicted 3.2 ms"
std::string previous_text(const Candidate& previous);

/// Whether it is so much faster than another candidate that a prediction can tell.
bool is_clearly_faster(const Candidate& previous, const Candidate& other);

}  // namespace coll_topo
