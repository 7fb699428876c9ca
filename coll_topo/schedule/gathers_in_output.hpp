// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

namespace coll_topo {

/// Whether a program is an allgather that keeps every block of `scratch` where it ends up in `output`. If the caller's
/// memory can be sent and received as it is, both may be the same, and nothing is copied from one to the other.
bool gathers_in_output(const Program& program, Collective collective);

}  // namespace coll_topo
