// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/job_placement/placement_rule.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/place/launch_files.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// What an allreduce takes on some hosts, as the cost model predicts it.
struct ExpectedTimes {
    std::string placement;        ///< "these hosts", "the first free hosts", "random hosts (seed 1)"
    std::vector<double> seconds;  ///< by PlaceReport::bytes
};

/// Which hosts a job gets, and why.
struct PlaceReport {
    std::string network;  ///< Fabric::summary()
    int ranks = 1;
    int ranks_per_host = 1;
    int free_hosts = 0;
    const PlacementRule* rule = nullptr;
    JobPlacement placement;
    std::vector<HostRanks> hosts;
    std::vector<std::string> surplus;
    std::vector<std::int64_t> bytes;
    std::vector<ExpectedTimes> expected;

    /// CSV has a line for each host with ranks.
    void write(Format format, std::ostream& out) const;

private:
    std::vector<std::string> host_names() const;
    Table summary() const;
    Table host_table() const;
    Table time_table() const;
    Table passed_over_table() const;
    void write_text(std::ostream& out) const;
    void write_json(std::ostream& out) const;
};

/// The rules, and which of them suit a network.
Table rule_table(const JobSite& site);

}  // namespace coll_topo::tool
