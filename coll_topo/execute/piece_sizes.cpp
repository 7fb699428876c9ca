// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/piece_sizes.hpp"

#include "coll_topo/execute/lanes.hpp"

#include <cstring>

namespace coll_topo {

int exchange_piece_sizes(Plan& plan, coll_topo_transport& transport, int root, std::size_t* sizes,
                         Workspace& workspace) {
    const bool gathers = plan.collective == Collective::gather;
    const bool is_root = plan.rank == root;
    std::size_t own = sizes[plan.rank];
    coll_topo_buffers buffers{};
    buffers.elements = sizeof own;
    buffers.input = gathers ? &own : is_root ? sizes : nullptr;
    buffers.output = !gathers ? &own : is_root ? sizes : nullptr;
    LanesRun run(plan, plan.tables, transport, buffers);
    if (const int failure = run.run(workspace); failure != 0) return failure;
    for (std::int32_t block = 0; block < plan.program.scratch_blocks; ++block) {
        std::memcpy(&sizes[plan.program.scratch_order[block]], run.data().address(Buffer::scratch, block), sizeof own);
    }
    return 0;
}

}  // namespace coll_topo
