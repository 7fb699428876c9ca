/* SPDX-License-Identifier: BSD-3-Clause */
/* What the component holds of a communicator for its nonblocking and persistent collectives, from the first one on.
 * They have plans of their own, and tags, also in the memory of the host. */
#ifndef COLL_TOPO_MCA_NONBLOCKING_H
#define COLL_TOPO_MCA_NONBLOCKING_H

#include "coll_topo/mca/module/common_settings.h"
#include "coll_topo/mca/module/module.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/settings_differences.h"

#include <pthread.h>
#include <stdbool.h>

struct coll_topo_request;

/* What ranks do until they have agreed: they compare their settings, and set up the memory of the host or find out how
 * they differ. */
enum coll_topo_agreement_step { COLL_TOPO_COMPARES, COLL_TOPO_CONNECTS, COLL_TOPO_COLLECTS, COLL_TOPO_AGREED };

struct coll_topo_nonblocking {
    struct coll_topo_module* module;
    /* UNDECIDED while ranks agree. They do so by messages in the first call, which must not wait for any: calls queue
     * up until then. */
    enum coll_topo_decision decision;
    coll_topo_communicator* plans; /* NULL unless the decision is OURS */
    coll_topo_topology* topology;  /* see coll_topo_module */
    int reproducible;
    /* Calls with fewer bytes are the previous module's: see coll_topo_least_bytes. SIZE_MAX: all, also until decided.
     */
    size_t least_bytes[COLL_TOPO_SERVED];
    bool may_be_profiled;                       /* coll_topo_profile is set */
    struct coll_topo_requests_profile* profile; /* NULL until agreed, and if there is none */
    bool given_back;                            /* see coll_topo_nonblocking_give_back */
    struct coll_topo_common_settings settings;
    struct coll_topo_comparing comparing;
    struct coll_topo_connecting* connecting; /* NULL unless the memory of the host is being set up */
    struct coll_topo_collecting collecting;  /* where ranks differ */
    enum coll_topo_agreement_step step;
    struct coll_topo_peer* peers;   /* all members, while ranks agree */
    enum coll_topo_decision agreed; /* the decision to be, once calls that wait have begun */
    struct ompi_communicator_t* communicator;
    struct coll_topo_nonblocking* next_agreeing;
    enum coll_topo_decision blocking_decision; /* of the module, which waits for the agreement too */
    /* What follows is guarded by the lock, if there are several threads. */
    pthread_mutex_t lock;
    struct coll_topo_request *first_waiting, **end_of_waiting;
    struct coll_topo_request* idle; /* to be used again */
    int in_use;                     /* requests */
};

/* That of a module, made in the first call; NULL if there is no memory. Begins the agreement. */
struct coll_topo_nonblocking* coll_topo_nonblocking_of(struct coll_topo_module* module,
                                                       struct ompi_communicator_t* communicator);
/* In the first call. An Open MPI error code. */
int coll_topo_nonblocking_begin_agreement(struct coll_topo_nonblocking* state);
/* Goes on with the agreement as far as messages allow. True once it has ended: `agreed` is the decision. */
bool coll_topo_nonblocking_agree(struct coll_topo_nonblocking* state);
/* Waits until ranks have agreed, and the calls that wait for it have begun. */
void coll_topo_nonblocking_wait(struct coll_topo_nonblocking* state);
/* A plan, as coll_topo_plan_by finds it for calls that wait. NULL: the previous module must do the call. */
int coll_topo_nonblocking_plan(struct coll_topo_nonblocking* state, coll_topo_chooser* choose, int collective,
                               size_t bytes, int root, int commutative, coll_topo_plan** plan);
/* Puts back, once, the previous module's functions of the collectives that the component never serves here. */
void coll_topo_nonblocking_give_back(struct coll_topo_nonblocking* state);
/* Only where several threads may call MPI. */
void coll_topo_nonblocking_lock(struct coll_topo_nonblocking* state);
void coll_topo_nonblocking_unlock(struct coll_topo_nonblocking* state);

#endif
