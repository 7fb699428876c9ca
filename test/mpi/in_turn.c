/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several test programs one after the other in one job, as starting many ranks takes as long as a short program:
 *
 *   in_turn PROGRAM[,PROGRAM...] [options of them all]
 *
 * Each says how many of its checks failed. One that fails does not keep back those behind it.
 */
#include "test/mpi/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const char* name;
    int (*run)(int argc, char** argv);
};

int barriers(int argc, char** argv);
int collective_matrix(int argc, char** argv);
int communicators(int argc, char** argv);
int interleaved(int argc, char** argv);
int reproducible(int argc, char** argv);
int signatures(int argc, char** argv);
int user_operations(int argc, char** argv);

static const struct program programs[] = {
    {"barriers", barriers},
    {"collective_matrix", collective_matrix},
    {"communicators", communicators},
    {"interleaved", interleaved},
    {"reproducible", reproducible},
    {"signatures", signatures},
    {"user_operations", user_operations},
};

static const struct program* program_named(const char* name) {
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, name) == 0) return &programs[i];
    fprintf(stderr, "in_turn has no program \"%s\"\n", name);
    exit(2);
}

int main(int argc, char** argv) {
    int status = EXIT_SUCCESS;
    char* next = NULL;
    for (char* name = strtok_r(argc > 1 ? argv[1] : "", ",", &next); name != NULL;) {
        const struct program* program = program_named(name);
        name = strtok_r(NULL, ",", &next);
        session_in_turn(program->name, name != NULL);
        if (program->run(argc - 1, argv + 1) != EXIT_SUCCESS) status = EXIT_FAILURE;
    }
    return status;
}
