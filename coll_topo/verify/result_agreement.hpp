// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/verify/matching.hpp"
#include "coll_topo/verify/proof.hpp"

namespace coll_topo::verify {

/// Fails if the sender of a message takes its blocks for results (schedule/result_transfers) and the receiver does not,
/// or the other way round: where partial sums travel in another form, they would not understand each other.
Expected<void> check_result_transfers(Collective collective, const Schedule& schedule, const Matching& matching);

}  // namespace coll_topo::verify
