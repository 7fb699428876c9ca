// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/staging.hpp"

#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/execute/workspace.hpp"

#include <algorithm>

namespace coll_topo {

std::size_t StagingSize::bytes(std::size_t elements) const {
    const std::size_t held = elements <= segment ? elements : std::min(elements, segment * Transfer::depth);
    return Workspace::aligned(element_memory(held, extent, tail));
}

void update_staging(PlanTables::Staging& staging, const Program& program, const Data& data, const StagingSize& size,
                    const coll_topo_buffers& buffers) {
    const bool irregular = coll_topo_has_piece_counts(buffers.piece_elements) != 0;
    if (!irregular && staging.elements == buffers.elements && staging.extent == size.extent &&
        staging.tail == size.tail && staging.segment == size.segment) {
        return;
    }
    if (!staging.needed) return;
    staging.elements = irregular ? PlanTables::unknown : buffers.elements;
    staging.extent = size.extent;
    staging.tail = size.tail;
    staging.segment = size.segment;
    std::fill(staging.begin.begin(), staging.begin.end(), 0);
    for (std::size_t lane = 0; lane < program.lanes.size(); ++lane) {
        for (int step = program.lanes[lane].begin_step; step < program.lanes[lane].end_step; ++step) {
            std::size_t bytes = 0;
            for (const Action& action : program.actions_of(program.steps[step])) {
                if (action.kind == ActionKind::receive_reduce) bytes += size.bytes(data.elements(action));
            }
            std::size_t& room = staging.begin[lane * 2 + step % 2 + 1];
            room = std::max(room, bytes);
        }
    }
    for (std::size_t i = 1; i < staging.begin.size(); ++i) staging.begin[i] += staging.begin[i - 1];
}

}  // namespace coll_topo
