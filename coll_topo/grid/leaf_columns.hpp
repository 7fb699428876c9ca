// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/partition.hpp"
#include "coll_topo/fabric/projective_plane.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// Leaves in full columns and rows: leaf_at[column * rows + row]. No columns: they do not stand that way.
struct LeafColumns {
    int columns = 0;
    int rows = 0;
    std::vector<std::int32_t> leaf_at;
};

/// Groups as columns, the leaves of each in order, if all groups have equally many.
LeafColumns groups_as_columns(const Partition& leaves_by_group);

/// Lines of two classes of parallels as columns and rows, if the leaves are where all of some columns meet all of some
/// rows; the first two such classes. `switches` are the leaves; leaf_at holds indices into them.
LeafColumns lines_as_columns(const ProjectivePlane& plane, std::span<const std::int32_t> switches);

/// Likewise, for these two classes.
LeafColumns lines_as_columns(const ProjectivePlane& plane, std::span<const std::int32_t> switches, int column_class,
                             int row_class);

}  // namespace coll_topo
