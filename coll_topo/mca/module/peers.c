/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/peers.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"
#include "opal/util/proc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MODEX_KEY "coll_topo.1"

/* Answers about processes of the same job, by rank in MPI_COMM_WORLD, so that further communicators are cheap. */
static struct coll_topo_peer* cache;
static size_t cache_size;
/* Processes of other jobs that were taken for ABSENT: each would be waited for again. */
static opal_process_name_t* absent;
static size_t absent_size;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

int coll_topo_peers_publish(void) {
    const size_t size = coll_topo_record_size(&coll_topo_own_record);
    int error = OPAL_SUCCESS;
    OPAL_MODEX_SEND_STRING(error, COLL_TOPO_MODEX_GLOBAL, MODEX_KEY, &coll_topo_own_record, size);
    return error == OPAL_SUCCESS ? OMPI_SUCCESS : OMPI_ERROR;
}

static bool own_job(opal_process_name_t name) {
    return name.jobid == OPAL_PROC_MY_NAME.jobid;
}

/* Whether a record that is not at hand does not exist. */
static bool all_at_hand(opal_process_name_t name) {
    return COLL_TOPO_MODEX_IS_WHOLE && own_job(name);
}

/* First what is at hand: Open MPI waits 2 seconds for a record that does not exist, and so for each of them. But other
 * processes should see the same, so what can be elsewhere is waited for. */
static bool fetch(opal_process_name_t name, struct coll_topo_record* record) {
    size_t size = 0;
    uint8_t* data = coll_topo_modex_at_hand(MODEX_KEY, name, &size);
    if (data == NULL && !all_at_hand(name)) {
        data = coll_topo_modex_fetched(MODEX_KEY, name, &size);
    }
    coll_topo_record_read(record, data, size);
    free(data);
    return size > 0;
}

static struct coll_topo_peer ask(opal_process_name_t name) {
    struct coll_topo_record record;
    if (!fetch(name, &record)) {
        return (struct coll_topo_peer){.kind = COLL_TOPO_PEER_ABSENT};
    }
    return coll_topo_peer_of(&record, &coll_topo_own_record);
}

/* The place in the cache for a process; NULL if it belongs to another job (after MPI_Comm_spawn or MPI_Comm_accept). */
static struct coll_topo_peer* cached(opal_process_name_t name) {
    return own_job(name) && name.vpid < cache_size ? &cache[name.vpid] : NULL;
}

/* Whether a process was asked for in vain. */
static bool known_absent(opal_process_name_t name) {
    const struct coll_topo_peer* const known = cached(name);
    if (known != NULL) {
        return known->kind == COLL_TOPO_PEER_ABSENT;
    }
    size_t i = 0;
    while (i < absent_size && (absent[i].jobid != name.jobid || absent[i].vpid != name.vpid)) {
        ++i;
    }
    return i < absent_size;
}

/* Without memory it is waited for again. */
static void remember_absent(opal_process_name_t name) {
    opal_process_name_t* longer = realloc(absent, (absent_size + 1) * sizeof *absent);
    if (longer != NULL) {
        absent = longer;
        absent[absent_size++] = name;
    }
}

/* What is known of a process, or is now asked for. */
static struct coll_topo_peer look_up(opal_process_name_t name) {
    struct coll_topo_peer* known = cached(name);
    if (known != NULL) {
        if (known->kind == COLL_TOPO_PEER_UNASKED) {
            *known = ask(name);
        }
        return *known;
    }
    if (known_absent(name)) {
        return (struct coll_topo_peer){.kind = COLL_TOPO_PEER_ABSENT};
    }
    const struct coll_topo_peer peer = ask(name);
    if (peer.kind == COLL_TOPO_PEER_ABSENT) {
        remember_absent(name);
    }
    return peer;
}

int coll_topo_peers_look_up(struct ompi_communicator_t* communicator, struct coll_topo_peer* peers) {
    int missed = -1;
    const int size = ompi_comm_size(communicator);
    pthread_mutex_lock(&cache_lock);
    if (cache == NULL) {
        cache_size = (size_t)ompi_proc_world_size();
        cache = calloc(cache_size, sizeof *cache);
        cache_size = cache != NULL ? cache_size : 0; /* slower without, not wrong */
    }
    for (int rank = 0; rank < size && missed < 0; ++rank) {
        const opal_process_name_t name = ompi_group_get_proc_name(communicator->c_local_group, rank);
        peers[rank] = look_up(name);
        missed = peers[rank].kind == COLL_TOPO_PEER_ABSENT && !all_at_hand(name) ? rank : -1;
    }
    pthread_mutex_unlock(&cache_lock);
    return missed;
}

bool coll_topo_peers_all_equal(const struct coll_topo_peer* peers, int size) {
    int equal = 0;
    while (equal < size && peers[equal].kind == COLL_TOPO_PEER_EQUAL) {
        ++equal;
    }
    return equal == size;
}

bool coll_topo_peer_is_ready(enum coll_topo_peer_kind kind) {
    return kind == COLL_TOPO_PEER_EQUAL || kind == COLL_TOPO_PEER_DIFFERENT || kind == COLL_TOPO_PEER_OTHER_BUILD;
}

/* Records of processes on the own host are always at hand. */
bool coll_topo_peers_first_on_host(struct ompi_communicator_t* communicator) {
    const int own_rank = ompi_comm_rank(communicator);
    for (int rank = 0; rank < own_rank; ++rank) {
        const ompi_proc_t* process = ompi_comm_peer_lookup(communicator, rank);
        if (OPAL_PROC_ON_LOCAL_NODE(process->super.proc_flags) &&
            coll_topo_peer_is_ready(ask(process->super.proc_name).kind)) {
            return false;
        }
    }
    return true;
}

bool coll_topo_peers_speaker(void) {
    opal_process_name_t name = OPAL_PROC_MY_NAME;
    const opal_vpid_t own = name.vpid;
    for (name.vpid = 0; name.vpid < own; ++name.vpid) {
        struct coll_topo_record record;
        if (!fetch(name, &record)) {
            if (all_at_hand(name)) {
                continue;
            }
            return opal_process_info.my_local_rank == 0;
        }
        if (record.layout == COLL_TOPO_RECORD_LAYOUT && record.readiness == coll_topo_own_record.readiness) {
            return false;
        }
    }
    return true;
}

bool coll_topo_peers_any_ready(void) {
    opal_process_name_t name = OPAL_PROC_MY_NAME;
    const opal_vpid_t processes = (opal_vpid_t)ompi_proc_world_size();
    for (name.vpid = 0; all_at_hand(name) && name.vpid < processes; ++name.vpid) {
        struct coll_topo_record record;
        if (fetch(name, &record) && record.layout == COLL_TOPO_RECORD_LAYOUT && record.readiness == COLL_TOPO_READY) {
            return true;
        }
    }
    return false;
}

void coll_topo_peers_host_name(struct ompi_communicator_t* communicator, int rank, char* name, size_t size) {
    const opal_process_name_t process = ompi_group_get_proc_name(communicator->c_local_group, rank);
    struct coll_topo_record record;
    pthread_mutex_lock(&cache_lock);
    const bool asked_in_vain = known_absent(process);
    pthread_mutex_unlock(&cache_lock);
    const bool found = !asked_in_vain && fetch(process, &record) && record.layout == COLL_TOPO_RECORD_LAYOUT;
    if (found) {
        snprintf(name, size, "%s", record.host_name);
    } else {
        coll_topo_host_name_of(&ompi_comm_peer_lookup(communicator, rank)->super, name, size);
    }
}

void coll_topo_peers_close(void) {
    free(cache);
    cache = NULL;
    cache_size = 0;
    free(absent);
    absent = NULL;
    absent_size = 0;
}
