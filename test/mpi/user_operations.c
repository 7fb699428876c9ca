/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-defined operations, commutative and not, on derived datatypes. The whole memory of every buffer is compared
 * with what it must be, so that a byte written in a gap or outside is found.
 */
#include "test/mpi/counters.h"
#include "test/mpi/guarded.h"
#include "test/mpi/layouts.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 5 };
static const int sizes[SIZES] = {1, 2, 7, 1000, 10007};

struct user_operation {
    const char* name;
    MPI_Op op;
    combination combine;
    enum duty duty;
};

/* The operation under test and the layout it works on: MPI hands neither to its function. */
static const struct layout* current_layout;
static const struct user_operation* current_operation;

struct test_case {
    const struct user_operation* operation;
    const struct layout* layout;
    int count; /* elements of the whole vector */
    int root;  /* of a reduce */
    bool in_place;
    char text[160];
};

/* Addresses of elements may be used as aligned if those of the caller are. Open MPI does not keep to it. */
static bool aligned(const void* address) {
    const bool of_caller = current_layout->low % 16 == 0 && current_layout->extent % 16 == 0;
    return !of_caller || current_operation->duty != DUTY_COMPONENT || (uintptr_t)address % 16 == 0;
}

/* Also checks that it is given the caller's datatype. */
static void apply(void* in, void* inout, int* length, MPI_Datatype* type) {
    MPI_Aint lower_bound, extent;
    MPI_Type_get_extent(*type, &lower_bound, &extent);
    check(extent == current_layout->extent, "the user's function is called with another datatype than the caller's");
    check(aligned(in) && aligned(inout), "the user's function is called with an address that is not aligned");
    layout_combine(current_layout, current_operation->combine, in, inout, *length);
}

/* A buffer for `count` elements, and the address that MPI gets. */
struct buffer {
    struct guarded bytes;
    char* address;
};

static struct buffer buffer_new(const struct layout* layout, ptrdiff_t count) {
    if (count == 0) return (struct buffer){guarded_new(0), NULL};
    const ptrdiff_t last = (count - 1) * layout->extent, below = last < 0 ? -last : 0;
    struct buffer buffer = {guarded_new((size_t)(labs(last) + layout->high - layout->low)), NULL};
    buffer.address = buffer.bytes.data - layout->low + below;
    return buffer;
}

/* Of the ranks before `end`. */
static struct affine_map fold(const struct test_case* test, int end, uint64_t number) {
    struct affine_map result = affine_input(0, number);
    for (int rank = 1; rank < end; rank++) result = test->operation->combine(result, affine_input(rank, number));
    return result;
}

/* Writes elements [first, first + count) of the vector: the contribution of this rank, or, of ranks, the result of
 * those before `end`. Maps are numbered by where they are, so that those that elements have in common are the same. */
static void write_elements(const struct test_case* test, char* address, ptrdiff_t first, ptrdiff_t count, int end) {
    const struct layout* layout = test->layout;
    for (ptrdiff_t i = 0; i < count; i++)
        for (int m = 0; m < layout->maps; m++) {
            const uint64_t number = (uint64_t)((first + i) * layout->extent + layout->offsets[m]);
            const struct affine_map map = end > 0 ? fold(test, end, number) : affine_input(session.rank, number);
            memcpy(address + i * layout->extent + layout->offsets[m], &map, sizeof map);
        }
}

static void check_memory(const struct test_case* test, enum collective collective, const struct buffer* actual,
                         const struct buffer* expected, const char* where) {
    const char* name = collective_names[collective];
    size_t i = 0;
    while (i < actual->bytes.size && actual->bytes.data[i] == expected->bytes.data[i]) i++;
    check(i == actual->bytes.size, "%s %s: byte %zu of %zu in the %s is wrong", name, test->text, i, actual->bytes.size,
          where);
    check(guarded_intact(&actual->bytes), "%s %s: bytes outside of the %s were written", name, test->text, where);
}

static void call(const struct test_case* test, enum collective collective, const void* input, void* output,
                 const int* pieces) {
    const MPI_Datatype type = test->layout->type;
    const MPI_Op op = test->operation->op;
    if (collective == ALLREDUCE)
        MPI_Allreduce(input, output, test->count, type, op, MPI_COMM_WORLD);
    else if (collective == REDUCE)
        MPI_Reduce(input, output, test->count, type, op, test->root, MPI_COMM_WORLD);
    else if (collective == SCAN)
        MPI_Scan(input, output, test->count, type, op, MPI_COMM_WORLD);
    else if (collective == EXSCAN)
        MPI_Exscan(input, output, test->count, type, op, MPI_COMM_WORLD);
    else if (collective == REDUCE_SCATTER)
        MPI_Reduce_scatter(input, output, pieces, type, op, MPI_COMM_WORLD);
    else
        MPI_Reduce_scatter_block(input, output, pieces[0], type, op, MPI_COMM_WORLD);
}

/* In place, what lies behind this rank's piece is left undefined by MPI: makes it equal to what is expected. */
static void forget_rest(const struct test_case* test, char* address, const char* expected, ptrdiff_t piece) {
    const struct layout* layout = test->layout;
    for (ptrdiff_t i = piece; i < test->count; i++)
        for (int m = 0; m < layout->maps; m++) {
            const ptrdiff_t at = i * layout->extent + layout->offsets[m];
            memcpy(address + at, expected + at, sizeof(struct affine_map));
        }
}

/* The result is of the ranks before this number. Of an exscan, rank 0 has none, and its receive buffer stays. */
static int result_end(enum collective collective) {
    if (collective == SCAN) return session.rank + 1;
    return collective == EXSCAN ? session.rank : session.ranks;
}

/* Elements [first, first + piece) of the result are this rank's. */
static void run(const struct test_case* test, enum collective collective, const int* pieces, ptrdiff_t first,
                ptrdiff_t piece) {
    const struct layout* layout = test->layout;
    /* Only the root of a reduce may be in place. Elements that are written may have nothing in common. */
    const bool apart = layout->most == 0 || test->count <= layout->most;
    const bool in_place = test->in_place && apart && (collective != REDUCE || session.rank == test->root);
    struct buffer send = buffer_new(layout, test->count), sent = buffer_new(layout, test->count);
    struct buffer receive = buffer_new(layout, in_place ? test->count : piece);
    struct buffer expected = buffer_new(layout, in_place ? test->count : piece);
    write_elements(test, send.address, 0, test->count, 0);
    write_elements(test, sent.address, 0, test->count, 0);
    if (in_place) {
        write_elements(test, receive.address, 0, test->count, 0);
        write_elements(test, expected.address, 0, test->count, 0);
    }
    const struct counters before = counters_read();
    call(test, collective, in_place ? MPI_IN_PLACE : send.address, receive.address, pieces);
    counters_check(&before, collective, 1, session.ranks > 1 ? test->operation->duty : DUTY_NOBODY, test->text);

    const int end = result_end(collective);
    if (end > 0) write_elements(test, expected.address, first, piece, end);
    if (in_place) forget_rest(test, receive.address, expected.address, piece);
    check_memory(test, collective, &receive, &expected, "receive buffer");
    check_memory(test, collective, &send, &sent, "send buffer");
    guarded_free(&send.bytes);
    guarded_free(&sent.bytes);
    guarded_free(&receive.bytes);
    guarded_free(&expected.bytes);
}

/* Growing pieces, the first one empty; the last rank takes the rest. Of elements that are all in one place, one each.
 */
static void test_pieces(struct test_case* test, int* pieces) {
    const int unit = test->count / (session.ranks * session.ranks);
    if (test->layout->most == 1) test->count = session.ranks;
    int given = 0, first = 0;
    for (int rank = 0; rank < session.ranks; rank++) {
        pieces[rank] = test->layout->most == 1                 ? 1
                       : rank == session.ranks - 1             ? test->count - given
                       : 2 * rank * unit > test->count - given ? 0
                                                               : 2 * rank * unit;
        if (rank < session.rank) first += pieces[rank];
        given += pieces[rank];
    }
    run(test, REDUCE_SCATTER, pieces, first, pieces[session.rank]);
}

static void test_collectives(struct test_case* test) {
    int* pieces = calloc((size_t)session.ranks, sizeof *pieces);
    run(test, ALLREDUCE, NULL, 0, test->count);
    run(test, REDUCE, NULL, 0, session.rank == test->root ? test->count : 0);

    run(test, SCAN, NULL, 0, test->count);
    run(test, EXSCAN, NULL, 0, test->count);

    test_pieces(test, pieces);

    /* Where operands may have bytes in common, unless Open MPI may do the call: its own algorithms would mix them up.
     */
    const bool all_apart = test->layout->most > 0 && test->operation->duty != DUTY_COMPONENT;
    pieces[0] = (test->count + (all_apart ? 0 : session.ranks - 1)) / session.ranks;
    test->count = pieces[0] * session.ranks;
    if (test->count > 0) run(test, REDUCE_SCATTER_BLOCK, pieces, (ptrdiff_t)pieces[0] * session.rank, pieces[0]);
    free(pieces);
}

static void test_operation(const struct user_operation* operation, const struct layout* layout, int number) {
    current_layout = layout;
    current_operation = operation;
    for (int s = 0; s < SIZES; s++) {
        const int count = layout->most > 0 && layout->most < sizes[s] ? layout->most : sizes[s];
        if (session.scale == SCALE_SAMPLE && (number + s) % 3 != 0) continue;
        if (session.scale != SCALE_FULL && s == SIZES - 1) continue;
        if (s > 0 && count <= sizes[s - 1]) continue;
        struct test_case test = {.operation = operation, .layout = layout, .in_place = (number + s) % 2 != 0};
        for (int both = 0; both < (session.scale == SCALE_FULL ? 2 : 1); both++) {
            test.in_place = !test.in_place;
            test.count = count;
            test.root = (number + s) % session.ranks;
            snprintf(test.text, sizeof test.text, "%s, %s, %d elements%s", operation->name, layout->name, count,
                     test.in_place ? ", in place" : "");
            test_collectives(&test);
        }
    }
}

int PROGRAM(user_operations)(int argc, char** argv) {
    session_start(&argc, &argv, MPI_THREAD_SINGLE);
    counters_open();
    struct user_operation table[] = {{"sum of maps", MPI_OP_NULL, affine_add, DUTY_COMPONENT},
                                     {"composition of maps", MPI_OP_NULL, affine_compose, DUTY_EITHER}};
    MPI_Op_create(apply, 1, &table[0].op);
    MPI_Op_create(apply, 0, &table[1].op);
    struct layout layouts[LAYOUTS];
    layouts_new(layouts);

    /* Open MPI's own reductions write outside of their memory where elements do not go upwards (4.1.4, without
     * coll_topo: free() finds it after ompi_coll_base_reduce_generic and
     * ompi_coll_base_reduce_scatter_block_intra_butterfly): only what it does not do is tried. So this program is not
     * for ranks that are all on one host, where short reductions are left to it. */
    for (int i = 0; i < LAYOUTS; i++)
        for (int o = 0; o < 2; o++)
            if (layouts[i].extent > 0 || (table[o].duty == DUTY_COMPONENT && session.ranks > 1))
                test_operation(&table[o], &layouts[i], 2 * i + o);

    layouts_free(layouts);
    for (int o = 0; o < 2; o++) MPI_Op_free(&table[o].op);
    counters_close();
    return session_finish("user_operations");
}
