// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/message_sizes.hpp"

#include "coll_topo/execute/scratch_table.hpp"

#include <algorithm>

namespace coll_topo::simulate {

MessageSizes::MessageSizes(Collective collective, const Program& program, int ranks, std::uint64_t bytes) {
    switch (collective) {
        case Collective::allreduce:
        case Collective::bcast:
        case Collective::reduce:
            vector_ = scratch_ = BlockMap::even(bytes, program.blocks);
            if (bytes % program.blocks != 0 && packs_blocks(program, program.blocks, false)) lay_out_scratch(program);
            break;
        case Collective::alltoall: {
            const int slices = program.blocks / ranks;
            vector_ = BlockMap::pieces(bytes / ranks, slices);
            scratch_ = BlockMap::pieces_by_lane(bytes / ranks, slices, std::max(1, program.scratch_blocks / slices));
            break;
        }
        case Collective::reduce_scatter:
        case Collective::reduce_scatter_block:
        case Collective::allgather: {
            const int cuts = program.blocks / ranks;  // as many as lanes, or all in the one lane
            vector_ = BlockMap::pieces(bytes / ranks, cuts);
            scratch_ = program.lanes.size() == 1 ? vector_ : BlockMap::pieces_by_lane(bytes / ranks, cuts, ranks);
            if (bytes / ranks % cuts != 0 && packs_blocks(program, cuts, true)) lay_out_scratch(program);
        }
    }
}

void MessageSizes::lay_out_scratch(const Program& program) {
    table_.resize(program.scratch_blocks + 1);
    fill_scratch_table(program.scratch_order, vector_, table_.data());
    scratch_ = BlockMap::table(table_.data());
}

}  // namespace coll_topo::simulate
