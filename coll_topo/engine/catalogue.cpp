// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/engine/engine.h"
#include "coll_topo/select/barrier.hpp"

using namespace coll_topo;

static_assert(COLL_TOPO_COLLECTIVES == collective_count);
static_assert(COLL_TOPO_ALLREDUCE == static_cast<int>(Collective::allreduce));
static_assert(COLL_TOPO_REDUCE_SCATTER == static_cast<int>(Collective::reduce_scatter));
static_assert(COLL_TOPO_REDUCE_SCATTER_BLOCK == static_cast<int>(Collective::reduce_scatter_block));
static_assert(COLL_TOPO_ALLGATHER == static_cast<int>(Collective::allgather));
static_assert(COLL_TOPO_BCAST == static_cast<int>(Collective::bcast));
static_assert(COLL_TOPO_REDUCE == static_cast<int>(Collective::reduce));
static_assert(COLL_TOPO_ALLTOALL == static_cast<int>(Collective::alltoall));

// Names in the catalogue are string literals, so they end with a null character.

const char* coll_topo_collective_name(int collective) {
    if (collective == COLL_TOPO_ALLTOALLV) return "alltoallv";
    if (collective == COLL_TOPO_ALLTOALLW) return "alltoallw";
    if (collective == COLL_TOPO_BARRIER) return barrier_name.data();
    return collective_name(static_cast<Collective>(collective)).data();
}

int coll_topo_algorithms(void) {
    return static_cast<int>(catalogue().size());
}

const char* coll_topo_algorithm_name(int row) {
    return catalogue()[row].get().name.data();
}

const char* coll_topo_algorithm_summary(int row) {
    return catalogue()[row].get().summary.data();
}

int coll_topo_algorithm_serves(int row, int collective) {
    const Algorithm& algorithm = catalogue()[row];
    if (collective == COLL_TOPO_BARRIER) return algorithm.serves(Collective::allreduce);
    return collective < COLL_TOPO_COLLECTIVES ? algorithm.serves(static_cast<Collective>(collective))
                                              : algorithm.direct;
}
