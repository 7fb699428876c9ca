// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/job_placement/job_placement.hpp"

namespace coll_topo {

/// Columns and rows of leaf switches, each leaf with at least `hosts_of_leaf` of the job's hosts and at most one more.
struct SubmeshShape {
    int columns = 1;
    int rows = 1;
    int hosts_of_leaf = 1;
    bool one_more = false;  ///< some leaves have one host more than others

    int leaves() const { return columns * rows; }
    int hosts() const { return leaves() * hosts_of_leaf; }  ///< at least
    bool operator==(const SubmeshShape&) const = default;
};

/// The shape in which a job of `hosts` fills so many columns and rows evenly; hosts >= columns * rows.
SubmeshShape even_shape(int columns, int rows, int hosts);

/// Phases of the submesh allreduce: trees to one host of every leaf, Allreduce(n) along columns and along rows, the
/// trees back; on a single leaf one Allreduce(n).
int submesh_phases(const SubmeshShape& shape);

/// Where a submesh stands, apart from its shape.
struct SubmeshSite {
    int free_hosts = 0;   ///< on its leaves, those of the job included
    int column_span = 0;  ///< from its first to its last column, both counted
    int row_span = 0;
};

/// The evaluation function: the weighted mean of three shares, each 1 at best: the fewest phases that any shape can
/// have for this number of hosts over the phases of this one; the hosts of the job over the free hosts of its leaves
/// (what is left on them no other submesh can use well); columns and rows over what they span (near leaves have short
/// cables).
double submesh_value(const SubmeshShape& shape, const SubmeshSite& site, int hosts, const ValueWeights& weights);

}  // namespace coll_topo
