// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/proof.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/verify/buffer_use.hpp"
#include "coll_topo/verify/data_flow.hpp"
#include "coll_topo/verify/form.hpp"
#include "coll_topo/verify/independence.hpp"
#include "coll_topo/verify/matching.hpp"
#include "coll_topo/verify/result_agreement.hpp"

#include <string>

namespace coll_topo {

namespace {

Expected<void> check_cartesian(const Schedule& schedule, const Cartesian* cartesian) {
    if (cartesian == nullptr) return failure("there are no neighbours without a Cartesian topology");
    if (cartesian->ranks() != static_cast<int>(schedule.size())) {
        return failure("the Cartesian topology has " + std::to_string(cartesian->ranks()) + " ranks instead of " +
                       std::to_string(schedule.size()));
    }
    if (cartesian->neighbors() == schedule[0].blocks) return {};
    return failure("the buffers have " + std::to_string(schedule[0].blocks) + " blocks instead of one for each of " +
                   std::to_string(cartesian->neighbors()) + " neighbours");
}

}  // namespace

Expected<void> prove(Collective collective, const Schedule& schedule, bool in_order, int root,
                     const Cartesian* cartesian) {
    const int ranks = static_cast<int>(schedule.size());
    if (root < 0 || root >= ranks) return failure("root " + std::to_string(root) + " is no rank");
    if (is_neighborhood(collective)) RETURN_IF_ERROR(check_cartesian(schedule, cartesian));
    std::vector<verify::Memory> memories;
    for (int rank = 0; rank < ranks; ++rank) {
        const Program& program = schedule[rank];
        if (program.blocks != schedule[0].blocks) {
            return failure("rank " + std::to_string(rank) + ": cuts the vector into " + std::to_string(program.blocks) +
                           " blocks, but rank 0 into " + std::to_string(schedule[0].blocks));
        }
        RETURN_IF_ERROR(verify::check_form(collective, program, rank, ranks));
        RETURN_IF_ERROR(verify::check_independence(collective, program, rank, ranks));
        RETURN_IF_ERROR(verify::check_buffer_use(collective, program, rank, ranks));
        memories.emplace_back(collective, program, rank, ranks);
    }
    ASSIGN_OR_RETURN(const auto matching, verify::match(schedule, memories));
    verify::Goal goal(collective, ranks, root, in_order, cartesian);
    RETURN_IF_ERROR(verify::DataFlow(schedule, memories, matching, goal).run());
    return verify::check_result_transfers(collective, schedule, matching);
}

}  // namespace coll_topo
