// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/placement/submesh_shape.hpp"

#include <algorithm>
#include <bit>

namespace coll_topo {
namespace {

/// "Fewest phases" of any shape: the number of those who have heard of a rank can only double.
int fewest_phases(int hosts) {
    return std::bit_width(static_cast<unsigned>(hosts) - 1);
}

}  // namespace

int allreduce_phases(int n) {
    if (n <= 1) return 0;
    if (n == 2) return 1;
    return n % 2 == 1 ? allreduce_phases(n - 1) + 2 : allreduce_phases(n / 2) + 1;
}

SubmeshShape even_shape(int columns, int rows, int hosts) {
    const int leaves = columns * rows;
    return {columns, rows, hosts / leaves, hosts % leaves != 0};
}

int submesh_phases(const SubmeshShape& shape) {
    int inside = allreduce_phases(shape.hosts_of_leaf);
    if (shape.one_more) inside = std::max(inside, allreduce_phases(shape.hosts_of_leaf + 1));
    return 2 * inside + allreduce_phases(shape.columns) + allreduce_phases(shape.rows);
}

double submesh_value(const SubmeshShape& shape, const SubmeshSite& site, int hosts, const ValueWeights& weights) {
    const int phases = submesh_phases(shape);
    const double phase_share = phases == 0 ? 1.0 : static_cast<double>(fewest_phases(hosts)) / phases;
    const double use_share = static_cast<double>(hosts) / site.free_hosts;
    const double position_share = static_cast<double>(shape.columns + shape.rows) / (site.column_span + site.row_span);
    const double sum = weights.phases * phase_share + weights.use * use_share + weights.position * position_share;
    return sum / (weights.phases + weights.use + weights.position);
}

}  // namespace coll_topo
