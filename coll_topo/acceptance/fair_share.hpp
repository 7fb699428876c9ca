// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo::acceptance {

/// Bytes on their way over some links, as indices; 0 bytes take no time.
struct Flow {
    std::vector<int> links = {};
    double bytes = 0;
};

/// Seconds until each of some flows that start at once has ended, if links share their bandwidth max-min fairly
/// (Bertsekas and Gallager, Data Networks, 6.5.2); infinite over a link of capacity 0.
std::vector<double> ends_of_flows(const std::vector<Flow>& flows, const std::vector<double>& capacity_of_link);

}  // namespace coll_topo::acceptance
