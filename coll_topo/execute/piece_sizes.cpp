// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/piece_sizes.hpp"

#include "coll_topo/execute/lanes.hpp"

#include <cstring>

namespace coll_topo {

coll_topo_buffers buffers_of_cells(const Plan& plan, int root, const coll_topo_cells& cells) {
    const bool gathers = plan.collective == Collective::gather;
    char* const all = plan.rank == root ? cells.all : nullptr;
    coll_topo_buffers buffers{};
    buffers.elements = coll_topo_cell_bytes(&cells);
    buffers.input = gathers ? cells.own : all;
    buffers.output = gathers ? all : cells.own;
    return buffers;
}

void read_sizes(const Plan& plan, const Data& data, std::size_t* sizes) {
    for (std::int32_t block = 0; block < plan.program.scratch_blocks; ++block) {
        std::memcpy(&sizes[plan.program.scratch_order[block]], data.address(Buffer::scratch, block), sizeof *sizes);
    }
}

int exchange_piece_sizes(Plan& plan, coll_topo_transport& transport, int root, const coll_topo_cells& cells,
                         std::size_t* sizes, Workspace& workspace) {
    const coll_topo_buffers buffers = buffers_of_cells(plan, root, cells);
    LanesRun run(plan, plan.tables, transport, buffers);
    if (const int failure = run.run(workspace); failure != 0) return failure;
    read_sizes(plan, run.data(), sizes);
    return 0;
}

}  // namespace coll_topo
