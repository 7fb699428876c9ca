// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/measure/measuring_plan.hpp"

#include <mpi.h>
#include <cstddef>
#include <memory>
#include <vector>

namespace coll_topo::bench {

/// Messages between pairs of ranks of a host as the component sends them: through memory, or by MPI where the system
/// does not allow that to one of the pairs.
class LocalMessages {
public:
    /// Collective. A rank is in one pair at most, the lower one first.
    LocalMessages(MPI_Comm communicator, const std::vector<RankPair>& pairs);

    void send(int peer, const char* data, std::size_t bytes) const;
    void receive(int peer, char* data, std::size_t bytes) const;

private:
    struct Free {
        void operator()(coll_topo_host_memory* memory) const { coll_topo_host_memory_free(memory); }
    };
    bool connect(const RankPair& pair, int own);
    void wait(void* request) const;

    MPI_Comm communicator_;
    std::unique_ptr<coll_topo_host_memory, Free> memory_;  // none: by MPI
};

}  // namespace coll_topo::bench
