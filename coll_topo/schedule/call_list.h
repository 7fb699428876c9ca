/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives of MPI that are served, a row each; for C++, see call.hpp, and for C, which sees their numbers in
 * engine.h. */
#ifndef COLL_TOPO_CALL_LIST_H
#define COLL_TOPO_CALL_LIST_H

/* Columns:
 *   name, and name of its number
 *   schedule  the collective whose schedules it runs
 *   rooted    one rank, the root, has or gets what the others do not
 *   combines  values are combined; others only move them
 *   data      what its bytes are counted of: CallData
 */
/* clang-format off */
/* Those that algorithms make schedules for. */
#define COLL_TOPO_PLANNED_CALLS(row)                                                                                \
    row(allreduce,            ALLREDUCE,            allreduce,            false, true,  vector)                     \
    row(reduce_scatter,       REDUCE_SCATTER,       reduce_scatter,       false, true,  pieces)                     \
    row(reduce_scatter_block, REDUCE_SCATTER_BLOCK, reduce_scatter_block, false, true,  pieces)                     \
    row(allgather,            ALLGATHER,            allgather,            false, false, pieces)                     \
    row(bcast,                BCAST,                bcast,                true,  false, vector)                     \
    row(reduce,               REDUCE,               reduce,               true,  true,  vector)                     \
    row(alltoall,             ALLTOALL,             alltoall,             false, false, pieces)                     \
    row(gather,               GATHER,               gather,               true,  false, pieces)                     \
    row(scatter,              SCATTER,              scatter,              true,  false, pieces)                     \
    row(scan,                 SCAN,                 scan,                 false, true,  vector)                     \
    row(exscan,               EXSCAN,               exscan,               false, true,  vector)                     \
    row(neighbor_allgather,   NEIGHBOR_ALLGATHER,   neighbor_allgather,   false, false, pieces)                     \
    row(neighbor_alltoall,    NEIGHBOR_ALLTOALL,    neighbor_alltoall,    false, false, pieces)
/* And those that run schedules of others. A barrier is an allreduce of one byte: no rank has the result before all have
 * contributed. */
#define COLL_TOPO_CALLS(row)                                                                                        \
    COLL_TOPO_PLANNED_CALLS(row)                                                                                    \
    row(allgatherv,           ALLGATHERV,           allgather,            false, false, pieces)                     \
    row(gatherv,              GATHERV,              gather,               true,  false, unequal_pieces)             \
    row(scatterv,             SCATTERV,             scatter,              true,  false, unequal_pieces)             \
    row(alltoallv,            ALLTOALLV,            alltoall,             false, false, unequal_pieces)             \
    row(alltoallw,            ALLTOALLW,            alltoall,             false, false, unequal_pieces)             \
    row(barrier,              BARRIER,              allreduce,            false, false, none)                       \
    row(neighbor_allgatherv,  NEIGHBOR_ALLGATHERV,  neighbor_allgather,   false, false, unequal_pieces)             \
    row(neighbor_alltoallv,   NEIGHBOR_ALLTOALLV,   neighbor_alltoall,    false, false, unequal_pieces)             \
    row(neighbor_alltoallw,   NEIGHBOR_ALLTOALLW,   neighbor_alltoall,    false, false, unequal_pieces)
/* clang-format on */

#endif
