// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/bench/session.hpp"

#include <iosfwd>
#include <vector>

namespace coll_topo::bench {

/// Collective. Measures how much of the time of nonblocking calls computation hides, and writes a table. Returns, on
/// rank 0, whether all results were right, and each component did its own calls as far as coll_topo's part shows.
bool show_overlap(const Options& options, Bench& bench, const std::vector<Contest>& contests, const RunFacts& facts,
                  std::ostream& stream);

}  // namespace coll_topo::bench
