// SPDX-License-Identifier: BSD-3-Clause
// An ordinary MPI program: it sums, scatters and gathers vectors, and knows nothing of networks or components.
// Prints for every collective and size a hash of what all ranks received, and the median time of a call.
//
//     mpicc -O2 -o allreduce allreduce.c && mpirun -np 16 ./allreduce
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 9 };

static const int sizes[] = {4, 1024, 65536, 1048576};  // elements of a vector
enum { SIZES = sizeof sizes / sizeof sizes[0] };

struct vectors {
    double* in;
    double* out;
    int elements;  // of `in` for the reductions, of `out` for the allgather
    int per_rank;  // of a rank's piece
    int ranks, rank;
};

// Small whole numbers: sums are exact, so the order of additions cannot change them.
static void fill(const struct vectors* v) {
    for (int i = 0; i < v->elements; ++i) {
        v->in[i] = (v->rank + 1) * (i % 1009 + 1);
        v->out[i] = -1;
    }
}

static void sum_vectors(const struct vectors* v) {
    MPI_Allreduce(v->in, v->out, v->elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void sum_and_scatter(const struct vectors* v) {
    MPI_Reduce_scatter_block(v->in, v->out, v->per_rank, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void gather_pieces(const struct vectors* v) {
    MPI_Allgather(v->in, v->per_rank, MPI_DOUBLE, v->out, v->per_rank, MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct {
    const char* name;
    void (*call)(const struct vectors*);
} collectives[] = {{"allreduce", sum_vectors}, {"reduce_scatter_block", sum_and_scatter}, {"allgather", gather_pieces}};
enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };

// FNV-1a over the bytes of the result, folded over the ranks in their order.
static uint64_t hash_of_all_ranks(const struct vectors* v) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const unsigned char* byte = (const unsigned char*)v->out;
    for (size_t i = 0; i < (size_t)v->elements * sizeof *v->out; ++i) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    if (v->rank > 0) {
        uint64_t before = 0;
        MPI_Recv(&before, 1, MPI_UINT64_T, v->rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        hash = (hash ^ before) * UINT64_C(0x100000001b3);
    }
    if (v->rank < v->ranks - 1) MPI_Send(&hash, 1, MPI_UINT64_T, v->rank + 1, 0, MPI_COMM_WORLD);
    MPI_Bcast(&hash, 1, MPI_UINT64_T, v->ranks - 1, MPI_COMM_WORLD);
    return hash;
}

static int ascending(const void* left, const void* right) {
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

// Median over the repetitions of the time the slowest rank took.
static double median_seconds(void (*call)(const struct vectors*), const struct vectors* v) {
    double seconds[REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        call(v);
        const double mine = MPI_Wtime() - start;
        MPI_Reduce(&mine, &seconds[i], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    qsort(seconds, REPETITIONS, sizeof *seconds, ascending);
    return seconds[REPETITIONS / 2];
}

int main(int argc, char** argv) {
    struct vectors v;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &v.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &v.rank);
    for (int size = 0; size < SIZES; ++size) {
        v.per_rank = (sizes[size] + v.ranks - 1) / v.ranks;
        v.elements = v.per_rank * v.ranks;
        v.in = malloc((size_t)v.elements * sizeof *v.in);
        v.out = malloc((size_t)v.elements * sizeof *v.out);
        if (v.in == NULL || v.out == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
        for (int i = 0; i < COLLECTIVES; ++i) {
            fill(&v);
            collectives[i].call(&v);
            const uint64_t hash = hash_of_all_ranks(&v);
            const double seconds = median_seconds(collectives[i].call, &v);
            if (v.rank == 0) {
                printf("%-22s %9zu bytes  hash %016" PRIx64 "  %10.1f us\n", collectives[i].name,
                       (size_t)v.elements * sizeof *v.in, hash, seconds * 1e6);
                fflush(stdout);
            }
        }
        free(v.in);
        free(v.out);
    }
    return MPI_Finalize();
}
