// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/bench/results.hpp"

#include <string>
#include <vector>

namespace coll_topo::bench {

/// Draws the medians over the sizes, a line for each component and one for the bound, as SVG. `cases` has the rows of
/// one case after the other. Of many forced algorithms only those that were fastest somewhere are drawn. With several
/// collectives, there is a file for each: out.svg becomes out-allreduce.svg.
Expected<void> write_plots(const std::vector<std::vector<Row>>& cases, const std::string& title,
                           const std::string& path);

}  // namespace coll_topo::bench
