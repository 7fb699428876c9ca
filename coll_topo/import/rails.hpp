// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/import/wiring.hpp"

namespace coll_topo::importing {

/// Gives each host one switch, as topology files need it. Leaves that share hosts become one leaf with all their
/// cables: such are the rails of hosts with several adapters, in networks of their own or in one. If that would make
/// one leaf of leaves that have few hosts in common, hosts keep only the cables to their first leaf instead. Notes say
/// which.
void join_rails(Wiring& wiring);

}  // namespace coll_topo::importing
