/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/slurm.h"

#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/peers.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "opal/util/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEX_KEY "coll_topo.slurm.1"

/* "PATTERN ADDRESS"; empty if there is none. */
static char own_address[4096];

bool coll_topo_slurm_wanted(void) {
    const char* path = coll_topo_parameters.topology_file;
    return path != NULL && strcmp(path, "slurm") == 0;
}

int coll_topo_slurm_open(coll_topo_topology** topology, char* message, size_t size) {
    char text[sizeof own_address];
    int32_t host = 0;
    const char* published = text;
    const char* name = coll_topo_own_record.host_name;
    *topology = NULL;
    own_address[0] = '\0';
    if (coll_topo_slurm_address(getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), getenv("SLURM_TOPOLOGY_ADDR"), text,
                                sizeof text) != COLL_TOPO_OK) {
        snprintf(message, size, "%s", text);
        return COLL_TOPO_FAILED;
    }
    const int error = coll_topo_topology_of_slurm(&published, &name, 1, topology, &host, message, size);
    if (error == COLL_TOPO_OK) {
        memcpy(own_address, text, sizeof text);
    }
    return error;
}

uint64_t coll_topo_slurm_digest(void) {
    char pattern[sizeof own_address];
    snprintf(pattern, sizeof pattern, "%s", own_address);
    pattern[strcspn(pattern, " ")] = '\0';
    return coll_topo_digest_text(coll_topo_digest_text(0, "slurm"), pattern);
}

int coll_topo_slurm_publish(void) {
    int error = OPAL_SUCCESS;
    if (own_address[0] != '\0') {
        OPAL_MODEX_SEND_STRING(error, COLL_TOPO_MODEX_GLOBAL, MODEX_KEY, own_address, strlen(own_address) + 1);
    }
    return error == OPAL_SUCCESS ? OMPI_SUCCESS : OMPI_ERROR;
}

/* Memory to be freed; NULL if it cannot be read. Its record has come and says that the process has published one: it is
 * waited for, as a rank that gave up would be the only one. */
static char* address_of(opal_process_name_t name) {
    size_t size = 0;
    uint8_t* data = coll_topo_modex_at_hand(MODEX_KEY, name, &size);
    while (data == NULL) {
        data = coll_topo_modex_fetched(MODEX_KEY, name, &size);
    }
    if (size == 0 || data[size - 1] != '\0') {
        free(data);
        return NULL;
    }
    return (char*)data;
}

/* What the members of a communicator published. */
struct addresses {
    int ranks;
    char** address;
    char** host_name;
};

static void release(struct addresses* list) {
    for (int rank = 0; rank < list->ranks; ++rank) {
        free(list->address != NULL ? list->address[rank] : NULL);
        free(list->host_name != NULL ? list->host_name[rank] : NULL);
    }
    free(list->address);
    free(list->host_name);
}

static bool collect(struct ompi_communicator_t* communicator, struct addresses* list) {
    list->ranks = ompi_comm_size(communicator);
    list->address = calloc((size_t)list->ranks, sizeof *list->address);
    list->host_name = calloc((size_t)list->ranks, sizeof *list->host_name);
    bool complete = list->address != NULL && list->host_name != NULL;
    for (int rank = 0; complete && rank < list->ranks; ++rank) {
        char host_name[COLL_TOPO_HOST_NAME_SIZE];
        coll_topo_peers_host_name(communicator, rank, host_name, sizeof host_name);
        list->host_name[rank] = strdup(host_name);
        list->address[rank] = address_of(ompi_group_get_proc_name(communicator->c_local_group, rank));
        complete = list->host_name[rank] != NULL && list->address[rank] != NULL;
    }
    return complete;
}

int coll_topo_slurm_topology(struct ompi_communicator_t* communicator, coll_topo_topology** topology, int32_t* hosts,
                             char* message, size_t size) {
    struct addresses list = {0};
    int error = COLL_TOPO_FAILED;
    *topology = NULL;
    if (collect(communicator, &list)) {
        error = coll_topo_topology_of_slurm((const char* const*)list.address, (const char* const*)list.host_name,
                                            list.ranks, topology, hosts, message, size);
    } else {
        snprintf(message, size, "the addresses of its ranks in Slurm's topology cannot be had");
    }
    release(&list);
    return error;
}
