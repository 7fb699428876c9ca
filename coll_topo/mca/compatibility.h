/* SPDX-License-Identifier: BSD-3-Clause */
/* All that differs between the releases of Open MPI that this component is built for: 4.1, 5.0 and 6.0. */
#ifndef COLL_TOPO_MCA_COMPATIBILITY_H
#define COLL_TOPO_MCA_COMPATIBILITY_H

#include "ompi_config.h"

#include "coll_topo/engine/engine.h"

#include "ompi/communicator/communicator.h"
#include "ompi/mca/coll/coll.h"
#include "opal/mca/hwloc/hwloc-internal.h"
#include "opal/util/proc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define COLL_TOPO_TEXT_OF(number) COLL_TOPO_TEXT(number)
#define COLL_TOPO_TEXT(words) #words
#define COLL_TOPO_OPEN_MPI_RELEASE        \
    COLL_TOPO_TEXT_OF(OMPI_MAJOR_VERSION) \
    "." COLL_TOPO_TEXT_OF(OMPI_MINOR_VERSION) "." COLL_TOPO_TEXT_OF(OMPI_RELEASE_VERSION)

/* A component must be built with the version of the interface that the library has. The scope of what a process
 * publishes about itself is "every process of the job". */
#if OMPI_MAJOR_VERSION == 4 && OMPI_MINOR_VERSION == 1
#include "ompi/mca/rte/rte.h"
#include "opal/mca/pmix/pmix.h"
#if OPAL_CUDA_SUPPORT
#include "opal/datatype/opal_convertor.h"
#include "opal/datatype/opal_datatype_cuda.h"
#endif
#define COLL_TOPO_INTERFACE_VERSION MCA_COLL_BASE_VERSION_2_0_0
#define COLL_TOPO_MODEX_GLOBAL OPAL_PMIX_GLOBAL
#elif (OMPI_MAJOR_VERSION == 5 || OMPI_MAJOR_VERSION == 6) && OMPI_MINOR_VERSION == 0
#include "ompi/runtime/ompi_rte.h"
#include "opal/mca/accelerator/accelerator.h"
#include "opal/mca/pmix/pmix-internal.h"
#if OMPI_MAJOR_VERSION == 5
#define COLL_TOPO_INTERFACE_VERSION MCA_COLL_BASE_VERSION_2_4_0
#else
#define COLL_TOPO_INTERFACE_VERSION MCA_COLL_BASE_VERSION_3_0_0
#endif
#define COLL_TOPO_MODEX_GLOBAL PMIX_GLOBAL
#else
#error "coll_topo is written for Open MPI 4.1, 5.0 and 6.0; add what differs in this release to compatibility.h"
#endif

/* How a call gives numbers of elements: for one buffer, and for that of each rank, with its place. From 6.0 on, they
 * have 64 bits where the program has called a function with _c. */
#if OMPI_MAJOR_VERSION < 6
typedef int coll_topo_count;
typedef const int* coll_topo_counts;
typedef const int* coll_topo_displacements;
typedef const MPI_Aint* coll_topo_byte_displacements; /* of neighbor_alltoallw */
static inline size_t coll_topo_count_of(coll_topo_counts counts, int rank) {
    return (size_t)counts[rank];
}
static inline ptrdiff_t coll_topo_displacement_of(coll_topo_displacements displacements, int rank) {
    return displacements[rank];
}
static inline ptrdiff_t coll_topo_byte_displacement_of(coll_topo_byte_displacements displacements, int rank) {
    return displacements[rank];
}
static inline coll_topo_piece_counts coll_topo_piece_counts_of(coll_topo_counts counts) {
    return (coll_topo_piece_counts){.ints = counts};
}
#else
typedef size_t coll_topo_count;
typedef ompi_count_array_t coll_topo_counts;
typedef ompi_disp_array_t coll_topo_displacements;
typedef ompi_disp_array_t coll_topo_byte_displacements;
static inline size_t coll_topo_count_of(coll_topo_counts counts, int rank) {
    return ompi_count_array_get(counts, (size_t)rank);
}
static inline ptrdiff_t coll_topo_displacement_of(coll_topo_displacements displacements, int rank) {
    return ompi_disp_array_get(displacements, (size_t)rank);
}
static inline ptrdiff_t coll_topo_byte_displacement_of(coll_topo_byte_displacements displacements, int rank) {
    return coll_topo_displacement_of(displacements, rank);
}
static inline coll_topo_piece_counts coll_topo_piece_counts_of(coll_topo_counts counts) {
    const void* const numbers = ompi_count_array_ptr(counts);
    return ompi_count_array_is_64bit(counts) ? (coll_topo_piece_counts){.sizes = numbers}
                                             : (coll_topo_piece_counts){.ints = numbers};
}
#endif
#define COLL_TOPO_NO_COUNTS ((coll_topo_counts)0)
#define COLL_TOPO_NO_DISPLACEMENTS ((coll_topo_displacements)0)
#define COLL_TOPO_NO_BYTE_DISPLACEMENTS ((coll_topo_byte_displacements)0)

/* Types of functions that Open MPI has no names for of their own. */
#define COLL_TOPO_AS(function, same)                                                     \
    typedef mca_coll_base_module_##same##_fn_t mca_coll_base_module_##function##_fn_t;   \
    typedef mca_coll_base_module_i##same##_fn_t mca_coll_base_module_i##function##_fn_t; \
    typedef mca_coll_base_module_##same##_init_fn_t mca_coll_base_module_##function##_init_fn_t;
COLL_TOPO_AS(neighbor_allgather, allgather)
COLL_TOPO_AS(neighbor_allgatherv, allgatherv)
COLL_TOPO_AS(neighbor_alltoall, alltoall)
COLL_TOPO_AS(neighbor_alltoallv, alltoallv)
#undef COLL_TOPO_AS

/* Puts a function and its module into the table of a communicator. Until 5.0 the table retains modules, and what a
 * module offers is put there by the framework; from 6.0 on, modules install and remove their functions themselves. */
#if OMPI_MAJOR_VERSION < 6
#define COLL_TOPO_MODULES_INSTALL false
#define COLL_TOPO_REPLACE(communicator, name, function, new_module)               \
    do {                                                                          \
        mca_coll_base_module_t* replaced = (communicator)->c_coll->name##_module; \
        OBJ_RETAIN(new_module);                                                   \
        (communicator)->c_coll->name = (function);                                \
        (communicator)->c_coll->name##_module = (new_module);                     \
        OBJ_RELEASE(replaced);                                                    \
    } while (0)
#else
#define COLL_TOPO_MODULES_INSTALL true
#define COLL_TOPO_REPLACE(communicator, name, function, new_module) \
    do {                                                            \
        (communicator)->c_coll->name = (function);                  \
        (communicator)->c_coll->name##_module = (new_module);       \
    } while (0)
#endif

/* Whether the records of all processes of a job are at hand once MPI is initialised: one that is not there does not
 * exist. In 5.0, what other hosts have published is not at hand before it was asked for, although it has arrived.
 */
#if OMPI_MAJOR_VERSION == 4
#define COLL_TOPO_MODEX_IS_WHOLE (opal_pmix_collect_all_data && !opal_pmix_base_async_modex)
#else
#define COLL_TOPO_MODEX_IS_WHOLE false
#endif

/* What a process has published, if it is at hand: memory to be freed, NULL if there is none. */
static inline uint8_t* coll_topo_modex_at_hand(const char* key, opal_process_name_t name, size_t* size) {
    uint8_t* data = NULL;
    int error = OPAL_SUCCESS;
    *size = 0;
#if OMPI_MAJOR_VERSION == 4
    opal_byte_object_t* found = NULL;
    OPAL_MODEX_RECV_VALUE_IMMEDIATE(error, key, &name, &found, OPAL_BYTE_OBJECT);
    if (error == OPAL_SUCCESS && found != NULL) {
        data = found->bytes;
        *size = (size_t)found->size;
    }
    free(found);
#else
    OPAL_MODEX_RECV_STRING_IMMEDIATE(error, key, &name, &data, size);
    (void)error;
#endif
    return data;
}

/* The same, also if it must be fetched from the process's host. 4.1 waits 2 seconds for what nobody has published, 5.0
 * for ever unless told how long: longer than a loaded host usually needs to answer. What one process takes for absent,
 * another may have got. */
static inline uint8_t* coll_topo_modex_fetched(const char* key, opal_process_name_t name, size_t* size) {
    uint8_t* data = NULL;
    int error = OPAL_SUCCESS;
    *size = 0;
#if OMPI_MAJOR_VERSION == 4
    OPAL_MODEX_RECV_STRING(error, key, &name, &data, size);
    *size = error == OPAL_SUCCESS ? *size : 0;
#else
    pmix_proc_t process;
    pmix_value_t* found = NULL;
    pmix_info_t limit;
    int seconds = 5;
    OPAL_PMIX_CONVERT_NAME(&process, &name);
    PMIX_INFO_LOAD(&limit, PMIX_TIMEOUT, &seconds, PMIX_INT);
    error = PMIx_Get(&process, key, &limit, 1, &found);
    PMIX_INFO_DESTRUCT(&limit);
    if (error == PMIX_SUCCESS && found != NULL) {
        data = (uint8_t*)found->data.bo.bytes;
        *size = found->data.bo.size;
        found->data.bo.bytes = NULL;
    }
    if (found != NULL) {
        PMIX_VALUE_RELEASE(found);
    }
#endif
    return data;
}

/* The name of a process's host as Open MPI knows it; "unknown" if it does not. */
static inline void coll_topo_host_name_of(const opal_proc_t* process, char* name, size_t size) {
    char* known = opal_get_proc_hostname(process);
    snprintf(name, size, "%s", known);
#if OMPI_MAJOR_VERSION > 4
    free(known);
#endif
}

/* OMPI_SUCCESS, unless no collective of a communicator can end any more: it has been revoked, or one of its processes
 * is known to have failed. 4.1 has no such communicators. To be asked while a message is waited for: Open MPI itself
 * ends only those that come from failed processes, or have tags of its own collectives. */
static inline int coll_topo_communicator_failure(struct ompi_communicator_t* communicator) {
    int error = OMPI_SUCCESS;
#if OMPI_MAJOR_VERSION > 4 && OPAL_ENABLE_FT_MPI
    if (!ompi_comm_iface_coll_check(communicator, &error)) {
        return error;
    }
#endif
    (void)communicator;
    return error;
}

/* Whether an address is in a device's memory, which the processor must not touch: Open MPI's messages, convertors and
 * copies of data can be given it. 4.1 knows CUDA alone, if it is built with it. */
static inline bool coll_topo_is_on_device(const void* address) {
#if OMPI_MAJOR_VERSION > 4
    int device = MCA_ACCELERATOR_NO_DEVICE_ID;
    uint64_t flags = 0;
    return opal_accelerator.check_addr(address, &device, &flags) > 0;
#elif OPAL_CUDA_SUPPORT
    return opal_cuda_check_bufs((char*)address, NULL);
#else
    (void)address;
    return false;
#endif
}

/* What a callback that listens to an info key takes and returns. */
#if OMPI_MAJOR_VERSION == 4
typedef char coll_topo_info_text;
#else
typedef const char coll_topo_info_text;
#endif

/* What a function that copies an attribute of a communicator takes after the six parameters of MPI's standard. */
#if OMPI_MAJOR_VERSION == 4
#define COLL_TOPO_AND_DUPLICATE , __attribute__((unused)) struct ompi_communicator_t* duplicate
#else
#define COLL_TOPO_AND_DUPLICATE
#endif

/* Lane k of a blocking call sends with tag COLL_TOPO_FIRST_TAG - k. Tags below -1 and above those of coll_tags.h are
 * nobody's; they also fit transports that have few bits for a tag. Communicator creation took -7 to -9 of them in 5.0.
 * A schedule of more lanes takes as many of the tags of nonblocking calls. */
#define COLL_TOPO_FIRST_TAG (-2)
#if OMPI_MAJOR_VERSION == 4
#define COLL_TOPO_FIXED_TAGS 8
#else
#define COLL_TOPO_FIXED_TAGS 5
#endif

#endif
