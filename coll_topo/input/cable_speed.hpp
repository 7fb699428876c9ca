// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/statement.hpp"

namespace coll_topo {

/// Reads Bandwidth= (bytes/s) and Latency= (seconds) of a statement; what is not given stays as it is.
Expected<void> read_cable_speed(const Statement& statement, double& bandwidth, double& latency);

}  // namespace coll_topo
