/* SPDX-License-Identifier: BSD-3-Clause */
/* The component's parameters, set between communicators as tools do it (MPI_T): alike on all ranks. */
#ifndef COLL_TOPO_TEST_MPI_MODEL_PARAMETERS_H
#define COLL_TOPO_TEST_MPI_MODEL_PARAMETERS_H

#include "test/mpi/model/call.h"

/* Finds them; ends the job where one is missing. After counters_open(). */
void parameters_open(void);
void parameters_close(void);

/* For communicators that are made from now on: with the component, or without. */
void parameters_set_component(bool present);
/* For communicators whose first collective is still to come: those of a group of calls. */
void parameters_set(const struct call* calls, int number);

/* The algorithms that may be asked for; the first is "auto". */
int algorithm_count(int collective);
const char* algorithm_name(int collective, int place);

#endif
