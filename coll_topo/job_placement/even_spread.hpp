// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/job_placement/job_placement.hpp"

#include <span>
#include <vector>

namespace coll_topo {

/// `total` things in parts that hold `capacity` each, as evenly as they fit: no part has two more than another that
/// still has room. What is left over after equal shares goes to the first parts. The capacities suffice.
std::vector<int> even_shares(std::span<const int> capacity, int total);

/// As few parts as can hold `total`, and as evenly: the share of every part, 0 for one not used. Of parts that can hold
/// an equal share, those with the least room to spare are taken, so that large ones stay whole for large jobs.
std::vector<int> spread_over_fewest(std::span<const int> capacity, int total);

/// The placement of the grouped two-tree: as few groups of leaves (leaf_groups.hpp) as hold the job, the hosts spread
/// evenly over them, inside a group as evenly over as few leaves; ranks consecutive inside a leaf and a group. The
/// fabric has switches. Fails if there are too few free hosts.
Expected<JobPlacement> place_even_spread(const Fabric& fabric, const Job& job);

}  // namespace coll_topo
