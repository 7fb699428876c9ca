// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/proof.hpp"
#include "test/algorithm/trial.hpp"
#include "test/grid/torus_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(GridRing, NoTwoMessagesMeetOnACableWhereThereIsACycle) {
    const Algorithm& ring = *find_algorithm("grid_ring");
    for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{4, 4}, {3, 4}, {5, 2, 3}, {7}}) {
        const Fabric fabric = equal_torus(sizes);
        for (const int ranks_per_host : {1, 3}) {
            const Placement placement = ranks_on_all(fabric, ranks_per_host);
            const Grid grid = Grid::from_torus(fabric, placement).value();
            const Schedule schedule = build_all(ring, grid, {Collective::allreduce});
            for (const StepLoad& load : link_load(schedule, fabric, placement)) {
                EXPECT_LE(load.messages, 1) << grid.summary();
            }
        }
    }
}

}  // namespace
}  // namespace coll_topo::test
