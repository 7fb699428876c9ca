// SPDX-License-Identifier: BSD-3-Clause
// An ordinary MPI program: it sums, broadcasts, gathers and exchanges vectors, and knows nothing of networks or
// components. Prints for every collective and size a hash of what all ranks received, and the median time of a call.
//
//     mpicc -O2 -o collectives collectives.c && mpirun -np 16 ./collectives [BYTES...]
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CALLS = 9, FEWEST_CALLS = 3 };
static const double enough_seconds = 1;  // no more calls after that, but for the fewest

struct vectors {
    double* in;
    double* out;
    int elements;  // of a vector: of `in` for allreduce and alltoall, of `out` for all
    int per_rank;  // of a rank's piece
    int ranks, rank;
};

// Small whole numbers: sums are exact, so the order of additions cannot change them.
static void fill(const struct vectors* v) {
    for (int i = 0; i < v->elements; ++i) {
        v->in[i] = (v->rank + 1) * (i % 1009 + 1);
        v->out[i] = v->rank == 0 ? i % 1013 : -1;
    }
}

static void sum_vectors(const struct vectors* v) {
    MPI_Allreduce(v->in, v->out, v->elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void send_to_all(const struct vectors* v) {
    MPI_Bcast(v->out, v->elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void gather_pieces(const struct vectors* v) {
    MPI_Allgather(v->in, v->per_rank, MPI_DOUBLE, v->out, v->per_rank, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void exchange_pieces(const struct vectors* v) {
    MPI_Alltoall(v->in, v->per_rank, MPI_DOUBLE, v->out, v->per_rank, MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct {
    const char* name;
    void (*call)(const struct vectors*);
} collectives[] = {
    {"allreduce", sum_vectors}, {"bcast", send_to_all}, {"allgather", gather_pieces}, {"alltoall", exchange_pieces}};
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

struct measured {
    uint64_t hash;   // of what all ranks received in the first call
    double seconds;  // median over the calls of the time the slowest rank took
    int calls;
};

static struct measured measure(void (*call)(const struct vectors*), const struct vectors* v) {
    struct measured result = {0, 0, 0};
    double seconds[MOST_CALLS];
    const double begin = MPI_Wtime();
    for (int more = 1; more;) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        call(v);
        const double mine = MPI_Wtime() - start;
        MPI_Allreduce(&mine, &seconds[result.calls++], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (result.calls == 1) result.hash = hash_of_all_ranks(v);
        more = result.calls < FEWEST_CALLS || (result.calls < MOST_CALLS && MPI_Wtime() - begin < enough_seconds);
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    qsort(seconds, result.calls, sizeof *seconds, ascending);
    result.seconds = seconds[result.calls / 2];
    return result;
}

// All collectives with vectors of at least so many bytes, a whole number of elements for each rank.
static void run_with(size_t bytes, struct vectors* v) {
    v->per_rank = (int)((bytes + v->ranks * sizeof *v->in - 1) / (v->ranks * sizeof *v->in));
    v->elements = v->per_rank * v->ranks;
    const size_t size = v->elements * sizeof *v->in;
    v->in = malloc(size);
    v->out = malloc(size);
    if (v->in == NULL || v->out == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < COLLECTIVES; ++i) {
        fill(v);
        const struct measured result = measure(collectives[i].call, v);
        if (v->rank == 0) {
            printf("%-10s %9zu bytes  hash %016" PRIx64 "  %11.1f us  of %d calls\n", collectives[i].name, size,
                   result.hash, result.seconds * 1e6, result.calls);
            fflush(stdout);
        }
    }
    free(v->in);
    free(v->out);
}

int main(int argc, char** argv) {
    struct vectors v;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &v.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &v.rank);
    for (int i = 1; i < argc; ++i) run_with(strtoul(argv[i], NULL, 10), &v);
    if (argc == 1) {
        run_with(65536, &v);
        run_with(1048576, &v);
    }
    return MPI_Finalize();
}
