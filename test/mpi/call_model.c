/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws collective calls by a seed, with all that a call may have, and compares every byte of their buffers with what
 * it must be: on communicators of the component, and on others without it. A failure is made simpler and printed as the
 * command that repeats it. test/mpi/random_calls runs this on several networks.
 *
 *   call_model --seed N --calls N       so many calls, and those that complete their group
 *   call_model --seed N --group N       one group: all calls on one communicator
 *   call_model --call TEXT              the call that a failure was reduced to
 */
#include "test/mpi/model/last_words.h"
#include "test/mpi/model/parameters.h"
#include "test/mpi/model/run.h"
#include "test/mpi/model/shrink.h"
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5, MOST_TOLD = 3, SECONDS = 300 };

struct options {
    unsigned long long seed;
    long long calls;
    int group; /* -1: many groups */
    const char* call;
};

static long long drawn;      /* calls of all ranks; some ranks have no part in some */
static unsigned stock_wrong; /* calls, of those that the component had right */
static unsigned previous_wrong;

static struct options read_arguments(int argc, char** argv) {
    struct options options = {.seed = 1, .calls = 100, .group = -1};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            options.seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--calls") == 0)
            options.calls = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--group") == 0)
            options.group = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--call") == 0)
            options.call = argv[i + 1];
        else
            fprintf(stderr, "unknown option \"%s\"\n", argv[i]), exit(2);
    }
    return options;
}

static const char* setting(const char* name) {
    const char* value = getenv(name);
    return value != NULL ? value : "";
}

/* How this program was started, up to its arguments; from where the project is built. */
static void print_command(const char* arguments) {
    const char* const kept[] = {"coll", "coll_topo_place", "coll_topo_ranks_per_host", "coll_topo_reproducible"};
    fprintf(stderr, "    test/mpi/run -f %s %d", setting("OMPI_MCA_coll_topo_topology_file"), session.ranks);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char name[64];
        snprintf(name, sizeof name, "OMPI_MCA_%s", kept[i]);
        if (setting(name)[0] != '\0') fprintf(stderr, " --mca %s %s", kept[i], setting(name));
    }
    fprintf(stderr, " test/mpi/call_model %s\n", arguments);
}

static void report(const struct call* calls, int group, uint64_t seed, uint64_t wrong) {
    char text[CALL_TEXT], arguments[CALL_TEXT + 64];
    int first = 0;
    while ((wrong >> first & 1) == 0) first++;
    struct call simple = calls[first];
    const bool alone = shrink(&simple);
    call_write(alone ? &simple : &calls[first], text);
    if (alone)
        snprintf(arguments, sizeof arguments, "--call \"%s\"", text);
    else
        snprintf(arguments, sizeof arguments, "--seed %llu --group %d", (unsigned long long)seed, group);
    if (session.rank == 0) {
        fprintf(stderr, "%s goes wrong%s; to repeat it:\n", text, alone ? "" : ", but not alone");
        print_command(arguments);
    }
    if (alone) run_group(&simple, 1, false, true, "the simplest call of a failure");
}

/* Open MPI's own faults are told, but are no failures of this test. */
static void tell_of_stock(const struct call* calls, uint64_t wrong, const char* when) {
    static int told;
    char text[CALL_TEXT];
    for (int i = 0; wrong >> i != 0 && told < MOST_TOLD; i++) {
        if ((wrong >> i & 1) == 0) continue;
        call_write(&calls[i], text);
        printf("wrong %s: %s\n", when, text);
        told++;
    }
}

static int test_group(const struct options* options, int group) {
    struct call calls[LARGEST_GROUP];
    char origin[96];
    const int number = group_size(options->seed, group);
    for (int i = 0; i < number; i++) calls[i] = call_draw(options->seed, group, i);
    snprintf(origin, sizeof origin, "--seed %llu --group %d", options->seed, group);
    const struct verdict verdict = run_group(calls, number, true, options->group >= 0, origin);
    const uint64_t wrong = verdict.wrong;
    drawn += number;
    stock_wrong += (unsigned)__builtin_popcountll(verdict.stock_wrong & ~verdict.wrong);
    previous_wrong += (unsigned)__builtin_popcountll(verdict.previous_wrong);
    if (session.rank == 0) {
        for (int i = 0; i < number; i++) check((wrong >> i & 1) == 0, "a call of %s", origin);
        tell_of_stock(calls, verdict.stock_wrong & ~verdict.wrong, "without the component only");
        tell_of_stock(calls, verdict.previous_wrong, "passed on by the component");
    }
    if (wrong != 0) report(calls, group, options->seed, wrong);
    if (options->group >= 0 && session.rank == 0)
        for (int i = 0; i < number; i++) {
            char text[CALL_TEXT];
            call_write(&calls[i], text);
            printf("%s%s%s%s\n", text, verdict.wrong >> i & 1 ? "; WRONG" : "",
                   verdict.previous_wrong >> i & 1 ? "; wrong, passed on" : "",
                   verdict.stock_wrong >> i & 1 ? "; wrong without the component" : "");
        }
    return wrong == 0 ? 0 : 1;
}

static void test_one(const struct options* options) {
    struct call call;
    if (!call_read(options->call, &call)) MPI_Abort(MPI_COMM_WORLD, 2);
    const struct verdict verdict = run_group(&call, 1, true, true, "--call");
    if (session.rank != 0) return;
    check(verdict.wrong == 0, "%s", options->call);
    printf("%s%s%s\n", verdict.wrong ? "WRONG" : "right", verdict.previous_wrong ? "; wrong, passed on" : "",
           verdict.stock_wrong ? "; wrong without the component" : "");
}

static void test_many(const struct options* options) {
    int failures = 0;
    for (int group = 0; drawn < options->calls && failures < MOST_FAILURES; group++)
        failures += test_group(options, group);
}

int main(int argc, char** argv) {
    const struct options options = read_arguments(argc, argv);
    int no_arguments = 1;
    session_start(&no_arguments, &argv, MPI_THREAD_SINGLE);
    counters_open();
    parameters_open();
    run_open();
    last_words_open(SECONDS);
    if (options.call != NULL)
        test_one(&options);
    else if (options.group >= 0)
        test_group(&options, options.group);
    else
        test_many(&options);
    if (session.rank == 0)
        printf(
            "random calls: seed %llu, %d ranks, %lld calls; on rank 0 %llu by the component, %llu passed on, %llu "
            "without data; wrong: %u passed on, %u without the component only\n",
            options.seed, session.ranks, drawn, totals.by_component, totals.passed_on, totals.without_data,
            previous_wrong, stock_wrong);
    run_close();
    parameters_close();
    counters_close();
    return session_finish("call_model");
}
