// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/job_placement/placement_rule.hpp"
#include "coll_topo/tool/place/place_report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// A job that looks for hosts of a network.
struct JobRequest {
    const TopologyFile& file;
    const std::string& file_name;
    const JobSite& site;
    const Job& job;
    int ranks;
    int ranks_per_host;
};

/// What an allreduce of each size takes on the chosen hosts, on the first free ones, and on random ones.
Expected<std::vector<ExpectedTimes>> compare_placements(const JobRequest& request, const JobPlacement& chosen,
                                                        const std::vector<std::int64_t>& bytes);

}  // namespace coll_topo::tool
