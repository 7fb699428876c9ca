// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/piece_sizes.hpp"

#include "coll_topo/execute/lanes.hpp"

#include <cstring>

namespace coll_topo {

coll_topo_buffers buffers_of_sizes(const Plan& plan, int root, std::size_t* sizes, std::size_t& own) {
    const bool gathers = plan.collective == Collective::gather;
    const bool is_root = plan.rank == root;
    own = sizes[plan.rank];
    coll_topo_buffers buffers{};
    buffers.elements = sizeof own;
    buffers.input = gathers ? &own : is_root ? sizes : nullptr;
    buffers.output = !gathers ? &own : is_root ? sizes : nullptr;
    return buffers;
}

void read_sizes(const Plan& plan, const Data& data, std::size_t* sizes) {
    for (std::int32_t block = 0; block < plan.program.scratch_blocks; ++block) {
        std::memcpy(&sizes[plan.program.scratch_order[block]], data.address(Buffer::scratch, block), sizeof *sizes);
    }
}

int exchange_piece_sizes(Plan& plan, coll_topo_transport& transport, int root, std::size_t* sizes,
                         Workspace& workspace) {
    std::size_t own = 0;
    const coll_topo_buffers buffers = buffers_of_sizes(plan, root, sizes, own);
    LanesRun run(plan, plan.tables, transport, buffers);
    if (const int failure = run.run(workspace); failure != 0) return failure;
    read_sizes(plan, run.data(), sizes);
    return 0;
}

}  // namespace coll_topo
