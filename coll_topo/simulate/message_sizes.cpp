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
            const int lanes = static_cast<int>(program.lanes.size());
            vector_ = BlockMap::pieces(bytes / ranks, lanes);
            scratch_ = BlockMap::pieces_by_lane(bytes / ranks, lanes, ranks);
        }
    }
}

}  // namespace coll_topo::simulate
