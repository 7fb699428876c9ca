/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/at_finalize.h"

#include "coll_topo/mca/compatibility.h"

#include "ompi/attribute/attribute.h"
#include "ompi/communicator/communicator.h"

/* Standard C converts no pointer to a function to one to data. */
typedef union {
    void (*action)(void);
    void* value;
} attribute;

static int act(MPI_Comm communicator, int key, void* value, void* state) {
    (void)communicator, (void)key, (void)state;
    const attribute set = {.value = value};
    set.action();
    return MPI_SUCCESS;
}

static int copy_to_no_duplicate(struct ompi_communicator_t* communicator, int key, void* state, void* value,
                                void* copied, int* wanted COLL_TOPO_AND_DUPLICATE) {
    (void)communicator, (void)key, (void)state, (void)value, (void)copied;
    *wanted = 0;
    return MPI_SUCCESS;
}

int coll_topo_at_finalize(void (*action)(void)) {
    int key = MPI_KEYVAL_INVALID;
    ompi_attribute_fn_ptr_union_t copy, delete;
    copy.attr_communicator_copy_fn = copy_to_no_duplicate;
    delete.attr_communicator_delete_fn = act;
    const int error = ompi_attr_create_keyval(COMM_ATTR, copy, delete, &key, NULL, 0, NULL);
    const attribute set = {.action = action};
    return error != OMPI_SUCCESS ? error
                                 : ompi_attr_set_c(COMM_ATTR, &ompi_mpi_comm_self.comm,
                                                   &ompi_mpi_comm_self.comm.c_keyhash, key, set.value, false);
}
