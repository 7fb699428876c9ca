/* SPDX-License-Identifier: BSD-3-Clause */
/* To be loaded before MPI: an allreduce that makes a mistake, to see whether it is noticed. */
#include <mpi.h>
#include <stdint.h>

enum { LONG_ENOUGH = 16, WRONG_RANK = 1, WRONG_ELEMENT = 5 };

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm communicator) {
    int rank;
    const int error = PMPI_Allreduce(send, receive, count, datatype, op, communicator);
    PMPI_Comm_rank(communicator, &rank);
    if (count >= LONG_ENOUGH && datatype == MPI_UINT32_T && rank == WRONG_RANK) {
        ((uint32_t*)receive)[WRONG_ELEMENT] ^= 1;
    }
    return error;
}
