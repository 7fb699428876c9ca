/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of a cube of complex numbers with FFTW's library for MPI, forward and backward:
 *
 *     mpirun ... fft_3d EDGE REPETITIONS
 *
 * It prints the median time of a pair of transforms, by the slowest rank; the time it took to plan them; a sum over the
 * transform, each number with another weight; and how far the numbers that came back are from those that went. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double value(uint64_t index) {
    uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 31)) * 0xbf58476d1ce4e5b9u;
    return (double)((bits ^ (bits >> 29)) >> 11) * 0x1p-53 - 0.5;
}

/* The sum of all numbers of the transform, each multiplied by cos(place), over all ranks. */
static double weighted_sum(const fftw_complex* numbers, ptrdiff_t count, uint64_t first) {
    double own = 0, all = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        const double place = (double)(first + (uint64_t)i);
        own += creal(numbers[i]) * cos(place) + cimag(numbers[i]) * cos(place + 0.5);
    }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double distance(const fftw_complex* numbers, ptrdiff_t count, uint64_t first, double scale) {
    double own = 0, all = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        const uint64_t index = 2 * (first + (uint64_t)i);
        own = fmax(own, fabs(creal(numbers[i]) * scale - value(index)));
        own = fmax(own, fabs(cimag(numbers[i]) * scale - value(index + 1)));
    }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static int ascending(const void* one, const void* other) {
    const double a = *(const double*)one, b = *(const double*)other;
    return (a > b) - (a < b);
}

struct result {
    double seconds, sum, error, planning;
};

static struct result transform(ptrdiff_t edge, int repetitions) {
    struct result result = {0, 0, 0, 0};
    ptrdiff_t planes, first_plane;
    const ptrdiff_t allocated = fftw_mpi_local_size_3d(edge, edge, edge, MPI_COMM_WORLD, &planes, &first_plane);
    fftw_complex* numbers = fftw_alloc_complex((size_t)allocated);
    fftw_complex* transformed = fftw_alloc_complex((size_t)allocated);
    double* seconds = malloc((size_t)repetitions * sizeof *seconds);
    if (numbers == NULL || transformed == NULL || seconds == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    const unsigned flags = FFTW_ESTIMATE | FFTW_DESTROY_INPUT;
    const double planning = MPI_Wtime();
    const fftw_plan forward =
        fftw_mpi_plan_dft_3d(edge, edge, edge, numbers, transformed, MPI_COMM_WORLD, FFTW_FORWARD, flags);
    const fftw_plan backward =
        fftw_mpi_plan_dft_3d(edge, edge, edge, transformed, numbers, MPI_COMM_WORLD, FFTW_BACKWARD, flags);

    result.planning = MPI_Wtime() - planning;
    const ptrdiff_t count = planes * edge * edge;
    const uint64_t first = (uint64_t)(first_plane * edge * edge);
    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (ptrdiff_t i = 0; i < count; i++) {
            const uint64_t index = 2 * (first + (uint64_t)i);
            numbers[i] = value(index) + value(index + 1) * I;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        fftw_execute(forward);
        double own = MPI_Wtime() - begin;
        result.sum = weighted_sum(transformed, count, first);
        begin = MPI_Wtime();
        fftw_execute(backward);
        own += MPI_Wtime() - begin;
        MPI_Allreduce(&own, &seconds[repetition], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        const double scale = 1.0 / ((double)edge * (double)edge * (double)edge);
        result.error = fmax(result.error, distance(numbers, count, first, scale));
    }
    qsort(seconds, (size_t)repetitions, sizeof *seconds, ascending);
    result.seconds = seconds[repetitions / 2];
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    fftw_free(numbers);
    fftw_free(transformed);
    free(seconds);
    return result;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int edge = argc > 2 ? atoi(argv[1]) : 0, repetitions = argc > 2 ? atoi(argv[2]) : 0;
    const int right = edge >= 1 && repetitions >= 1;
    if (right) {
        const struct result result = transform(edge, repetitions);
        if (rank == 0)
            printf("sum %.15g\nerror %.3e\nseconds %.6f\nplanning %.6f\n", result.sum, result.error, result.seconds,
                   result.planning);
    } else if (rank == 0) {
        fprintf(stderr, "say: fft_3d EDGE REPETITIONS\n");
    }
    fftw_mpi_cleanup();
    MPI_Finalize();
    return right ? 0 : 2;
}
