// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/decision.hpp"

#include <string_view>

namespace coll_topo {

/// The value of Request::variant for a barrier, which runs a schedule of allreduce with one byte: no rank has the
/// result before all have contributed.
constexpr std::string_view barrier_name = "barrier";

Request barrier_request();

/// Predicted seconds of a barrier as other modules do it: each rank tells those 1, 2, 4, ... further on, or in pairs.
double rank_order_barrier_seconds(const Grid& grid);

}  // namespace coll_topo
