// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo::bench {

/// The middle value, or the mean of the two in the middle; 0 of nothing.
double median(std::vector<double> values);

}  // namespace coll_topo::bench
