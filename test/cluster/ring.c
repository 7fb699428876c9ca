// SPDX-License-Identifier: BSD-3-Clause
// Sends 1 MiB once round all ranks, says whether all have different host names, and ends with the exit code given as
// its argument, or 99 if what arrives is wrong.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { bytes = 1 << 20 };

static int hosts_differ(int ranks) {
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    MPI_Get_processor_name(name, &length);
    char* names = calloc(ranks, sizeof name);
    MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
    int differ = 1;
    for (int a = 0; a < ranks; ++a) {
        for (int b = 0; b < a; ++b) differ &= strcmp(names + a * sizeof name, names + b * sizeof name) != 0;
    }
    free(names);
    return differ;
}

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    char* sent = malloc(bytes);
    char* received = malloc(bytes);
    memset(sent, rank, bytes);
    const int previous = (rank + ranks - 1) % ranks;
    MPI_Sendrecv(sent, bytes, MPI_CHAR, (rank + 1) % ranks, 0, received, bytes, MPI_CHAR, previous, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    memset(sent, previous, bytes);
    const int right = memcmp(sent, received, bytes) == 0;
    free(sent);
    free(received);

    const int differ = hosts_differ(ranks);
    if (rank == 0) printf("%d ranks, %s\n", ranks, differ ? "each on a host of its own" : "some on one host");
    MPI_Finalize();
    return right ? (argc > 1 ? atoi(argv[1]) : 0) : 99;
}
