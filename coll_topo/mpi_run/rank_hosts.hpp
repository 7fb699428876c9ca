// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <string>
#include <vector>

namespace coll_topo::bench {

/// The hosts of the fabric that have these names, one for each rank, also without the domain. Fails if it has not all.
Expected<std::vector<int>> hosts_by_name(const Fabric& fabric, const std::vector<std::string>& host_of_rank);

}  // namespace coll_topo::bench
