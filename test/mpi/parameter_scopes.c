/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints for each parameter of the component what its value must be to be used: "same" on all ranks, of the same
 * "meaning", or "any". No MPI job is needed for that. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* agreement(int scope) {
    switch (scope) {
        case MPI_T_SCOPE_ALL_EQ:
            return "same";
        case MPI_T_SCOPE_ALL:
            return "meaning";
        case MPI_T_SCOPE_LOCAL:
            return "any";
        default:
            return "constant";
    }
}

int main(void) {
    static const char prefix[] = "coll_topo_";
    int provided, variables, found = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return EXIT_FAILURE;
    MPI_T_cvar_get_num(&variables);
    for (int i = 0; i < variables; i++) {
        char name[256];
        int name_length = sizeof name, description_length = 0, verbosity, binding, scope;
        MPI_Datatype type;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, NULL, NULL, &description_length, &binding,
                                &scope) != MPI_SUCCESS)
            continue;
        if (strncmp(name, prefix, strlen(prefix)) == 0) printf("%s %s\n", name, agreement(scope)), found++;
    }
    MPI_T_finalize();
    return found > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
