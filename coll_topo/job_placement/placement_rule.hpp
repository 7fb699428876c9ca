// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/job_placement/job_placement.hpp"
#include "coll_topo/job_placement/leaf_grid.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace coll_topo {

/// A network and its free hosts, as the rules see them. The fabric must outlive it.
struct JobSite {
    JobSite(const Fabric& network, const std::vector<std::int32_t>& free_hosts)
        : fabric(network), leaf_grid(find_leaf_grid(network, free_hosts)) {}

    const Fabric& fabric;
    std::optional<LeafGrid> leaf_grid;  ///< of a Latin-square fat tree
};

/// A way to choose hosts for a job.
struct PlacementRule {
    std::string_view name;
    std::string_view summary;  ///< one line for people
    std::string_view network;  ///< what it is for, such as "Latin-square fat tree"

    bool (*suits)(const JobSite&);
    Expected<JobPlacement> (*place)(const JobSite&, const Job&);  ///< only where it suits
};

/// Every rule; of those that suit a network, the first is the best guess for it.
std::span<const PlacementRule> placement_rules();

/// The row with this name, or null.
const PlacementRule* find_placement_rule(std::string_view name);

/// The placement of a job. Fails if the rule does not suit the network, and if it cannot be met: then with the largest
/// job that can.
Expected<JobPlacement> place_job(const PlacementRule& rule, const JobSite& site, const Job& job);

/// The most hosts that a job can have by a rule that suits; 0 if there is no such job.
int largest_job(const PlacementRule& rule, const JobSite& site, const Job& job);

}  // namespace coll_topo
