// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/statement.hpp"

namespace coll_topo {

/// Takes the Bandwidth= (bytes/s) and Latency= (seconds) of a statement, each where it is given. Fails on what is none.
Expected<void> read_cable_speed(const Statement& statement, double& bandwidth, double& latency);

}  // namespace coll_topo
