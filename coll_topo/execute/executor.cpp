// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/executor.hpp"

#include "coll_topo/execute/lanes.hpp"
#include "coll_topo/execute/single_lane.hpp"
#include "coll_topo/schedule/latency_bound.hpp"

#include <algorithm>

namespace coll_topo {

bool runs_in_single_lane(const Plan& plan, const coll_topo_transport& transport, const coll_topo_buffers& buffers) {
    const std::size_t longest = plan.longest_message_elements(buffers.elements) * transport.element_bytes;
    const bool is_cut = plan.segment_bytes > 0 && longest > plan.segment_bytes;
    const bool irregular = coll_topo_has_piece_counts(buffers.piece_elements) != 0 || transport.pieces != nullptr;
    const std::size_t most = std::max(latency_bound_bytes, plan.one_message_each_way ? transport.at_hand_bytes : 0);
    return plan.single_lane && !is_cut && longest <= most && !irregular;
}

int execute(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace) {
    if (!runs_in_single_lane(plan, transport, buffers)) return execute_lanes(plan, transport, buffers, workspace);
    Data data(plan, plan.tables, transport, buffers);
    std::byte* staging = nullptr;
    if (const int failure = begin_single_lane(plan, plan.tables, data, transport, buffers, workspace, staging);
        failure != 0) {
        return failure;
    }
    return SingleLaneRun(plan.program, transport, data, staging, plan.tables.requests).run();
}

}  // namespace coll_topo
