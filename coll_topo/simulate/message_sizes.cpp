// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/message_sizes.hpp"

#include <algorithm>

namespace coll_topo::simulate {

MessageSizes::MessageSizes(Collective collective, const Program& program, int ranks, std::uint64_t bytes) {
    switch (collective) {
        case Collective::allreduce:
        case Collective::bcast:
        case Collective::reduce:
            vector_ = scratch_ = BlockMap::even(bytes, program.blocks);
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
        }
    }
}

}  // namespace coll_topo::simulate
