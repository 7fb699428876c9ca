// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/message_sizes.hpp"

namespace coll_topo::simulate {

MessageSizes::MessageSizes(Collective collective, const Program& program, int ranks, std::uint64_t bytes) {
    switch (collective) {
        case Collective::allreduce:
        case Collective::bcast:
        case Collective::reduce:
            vector_ = scratch_ = BlockMap::even(bytes, program.blocks);
            break;
        case Collective::alltoall:
            vector_ = scratch_ = BlockMap::pieces(bytes / ranks, 1);
            break;
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
