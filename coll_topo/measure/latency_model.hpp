// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/measuring_plan.hpp"

#include <optional>
#include <vector>

namespace coll_topo::bench {

/// What short messages take, in seconds: message time + start + hops times hop, one hop for each kind of cable.
struct LatencyModel {
    std::optional<double> start;             ///< nothing: cannot be separated from the cables, which include it
    std::vector<std::optional<double>> hop;  ///< as LatencyProbe::hops; nothing: no probe crosses it
};

/// The model that best fits the seconds of the probes, given the time that both ranks work on a message.
/// `includes_start`: if one cable's time cannot be separated from what every message takes, all of it counts for the
/// cable (torus), else for the start (switches).
LatencyModel fit_latencies(const std::vector<LatencyProbe>& probes, const std::vector<double>& seconds,
                           double message_time, bool includes_start);

}  // namespace coll_topo::bench
