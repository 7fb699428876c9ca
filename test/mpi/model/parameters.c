/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/model/parameters.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ALGORITHMS = 64, NAME = 64 };

static struct {
    MPI_T_cvar_handle handle;
    int count;
    char names[MOST_ALGORITHMS][NAME];
    int values[MOST_ALGORITHMS];
} algorithms[COLLECTIVES];
static MPI_T_cvar_handle priority, lanes, segments, segment_size, aggregators;

static MPI_T_cvar_handle find(const char* name, MPI_T_enum* enumeration) {
    MPI_T_cvar_handle handle;
    int index, count, name_length = 0, description_length = 0, verbosity, binding, scope;
    MPI_Datatype type;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_get_info(index, NULL, &name_length, &verbosity, &type, enumeration, NULL, &description_length,
                            &binding, &scope) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) {
        fprintf(stderr, "there is no parameter %s: is the component loaded?\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return handle;
}

static void write_parameter(MPI_T_cvar_handle handle, const void* value, const char* name) {
    if (MPI_T_cvar_write(handle, value) == MPI_SUCCESS) return;
    fprintf(stderr, "%s cannot be set\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void list_algorithms(int collective) {
    char name[NAME];
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    int name_length = 0;
    snprintf(name, sizeof name, "coll_topo_%s_algorithm", collective_names[collective]);
    algorithms[collective].handle = find(name, &enumeration);
    MPI_T_enum_get_info(enumeration, &algorithms[collective].count, NULL, &name_length);
    if (algorithms[collective].count > MOST_ALGORITHMS) algorithms[collective].count = MOST_ALGORITHMS;
    for (int i = 0; i < algorithms[collective].count; i++) {
        int length = NAME;
        MPI_T_enum_get_item(enumeration, i, &algorithms[collective].values[i], algorithms[collective].names[i],
                            &length);
    }
}

void parameters_open(void) {
    for (int collective = 0; collective < COLLECTIVES; collective++) list_algorithms(collective);
    priority = find("coll_topo_priority", NULL);
    lanes = find("coll_topo_lanes", NULL);
    segments = find("coll_topo_segments", NULL);
    segment_size = find("coll_topo_segment_size", NULL);
    aggregators = find("coll_topo_aggregators", NULL);
}

void parameters_close(void) {
    MPI_T_cvar_handle* const all[] = {&priority, &lanes, &segments, &segment_size, &aggregators};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) MPI_T_cvar_handle_free(all[i]);
    for (int collective = 0; collective < COLLECTIVES; collective++)
        MPI_T_cvar_handle_free(&algorithms[collective].handle);
}

void parameters_set_component(bool present) {
    const int value = present ? 50 : -1;
    write_parameter(priority, &value, "coll_topo_priority");
}

void parameters_set(const struct call* calls, int number) {
    const size_t bytes = (size_t)calls[0].segment_size;
    write_parameter(lanes, &calls[0].lanes, "coll_topo_lanes");
    write_parameter(segments, &calls[0].segments, "coll_topo_segments");
    write_parameter(segment_size, &bytes, "coll_topo_segment_size");
    write_parameter(aggregators, &calls[0].aggregators, "coll_topo_aggregators");
    for (int collective = 0; collective < COLLECTIVES; collective++) {
        int place = 0;
        for (int i = 0; i < number; i++)
            if (calls[i].collective == collective) place = calls[i].algorithm;
        write_parameter(algorithms[collective].handle, &algorithms[collective].values[place], "an algorithm");
    }
}

int algorithm_count(int collective) {
    return algorithms[collective].count;
}

const char* algorithm_name(int collective, int place) {
    return algorithms[collective].names[place];
}
