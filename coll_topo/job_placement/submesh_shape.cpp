// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/job_placement/submesh_shape.hpp"

#include "coll_topo/grid/submesh_phases.hpp"

namespace coll_topo {

SubmeshShape even_shape(int columns, int rows, int hosts) {
    const int leaves = columns * rows;
    return {columns, rows, hosts / leaves, hosts % leaves != 0};
}

int submesh_phases(const SubmeshShape& shape) {
    const int largest_leaf = shape.hosts_of_leaf + (shape.one_more ? 1 : 0);
    if (shape.leaves() == 1) return submesh::allreduce_phases(largest_leaf);
    return 2 * submesh::tree_phases(largest_leaf) + submesh::allreduce_phases(shape.columns) +
           submesh::allreduce_phases(shape.rows);
}

double submesh_value(const SubmeshShape& shape, const SubmeshSite& site, int hosts, const ValueWeights& weights) {
    const int phases = submesh_phases(shape);
    const double phase_share = phases == 0 ? 1.0 : static_cast<double>(submesh::tree_phases(hosts)) / phases;
    const double use_share = static_cast<double>(hosts) / site.free_hosts;
    const double position_share = static_cast<double>(shape.columns + shape.rows) / (site.column_span + site.row_span);
    const double sum = weights.phases * phase_share + weights.use * use_share + weights.position * position_share;
    return sum / (weights.phases + weights.use + weights.position);
}

}  // namespace coll_topo
