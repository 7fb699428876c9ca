// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/executor.hpp"

#include "coll_topo/execute/lanes.hpp"
#include "coll_topo/execute/single_lane.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/schedule/latency_bound.hpp"

namespace coll_topo {

int execute(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace) {
    // Other ranks may take the other way: no message between them may be one that is cut there.
    const std::size_t longest = plan.longest_message_elements(buffers.elements) * transport.element_bytes;
    const bool is_cut = plan.segment_bytes > 0 && longest > plan.segment_bytes;
    const bool irregular = coll_topo_has_piece_counts(buffers.piece_elements) != 0 || transport.pieces != nullptr;
    if (!plan.single_lane || is_cut || longest > latency_bound_bytes || irregular) {
        return execute_lanes(plan, transport, buffers, workspace);
    }
    Data data(plan, transport, buffers);
    const StagingSize size{operand_extent(transport), transport.scratch_tail, uncut};
    update_staging(plan.staging, plan.program, data, size, buffers);
    const std::size_t scratch_bytes =
        Workspace::aligned(element_memory(data.scratch_elements(), transport.extent, transport.scratch_tail));
    std::byte* memory = workspace.reserve(scratch_bytes + plan.staging.begin.back());
    if (memory == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    int failure = data.set_scratch(memory);
    if (failure == 0) failure = data.begin();
    if (failure != 0) return failure;
    return execute_single_lane(plan.program, transport, data, memory + scratch_bytes);
}

}  // namespace coll_topo
