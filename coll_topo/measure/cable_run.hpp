// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"

#include <string>
#include <vector>

namespace coll_topo::bench {

/// How coll-topo-measure --cables is run.
struct CableOptions {
    double seconds_of_round = 10;
    int first_round = 0;
    bool each_round = false;
    std::string rank_hosts;  ///< of each rank, with commas; empty: ranks ask each other
    std::string leader;      ///< a host; empty: that of rank 0
    std::string output;
    bool progress = false;
};

/// Tests every cable between the hosts of the job; returns the exit status of a rank, or ends the job where the others
/// could not end it.
int run_cables(const CableOptions& options, const Fabric& fabric, const std::vector<int>& host_of_rank);

/// The same where ranks do not ask each other for their hosts, nor whether all have the same file.
int run_cables_with_given_hosts(const CableOptions& options, const std::string& topology, int ranks);

}  // namespace coll_topo::bench
