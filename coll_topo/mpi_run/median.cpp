// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/mpi_run/median.hpp"

#include <algorithm>

namespace coll_topo::bench {

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace coll_topo::bench
