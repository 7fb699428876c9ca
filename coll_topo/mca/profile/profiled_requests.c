/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonblocking and persistent calls of a communicator, which end in any order and thread. */
#include "coll_topo/mca/profile/profiled_communicators.h"
#include "coll_topo/mca/profile/sized_calls.h"

#include <pthread.h>
#include <stdlib.h>

enum { FORMS = COLL_TOPO_PERSISTENT + 1 };

struct coll_topo_requests_profile {
    pthread_mutex_t lock;
    struct coll_topo_communicator_profile* of_form[FORMS]; /* NULL: not counted */
};

struct coll_topo_requests_profile* coll_topo_profile_begin_requests(struct coll_topo_module* module,
                                                                    struct ompi_communicator_t* communicator,
                                                                    coll_topo_communicator* plans) {
    struct coll_topo_requests_profile* const profile =
        coll_topo_profiled_job.profile != NULL ? calloc(1, sizeof *profile) : NULL;
    if (profile == NULL) {
        return NULL;
    }
    pthread_mutex_init(&profile->lock, NULL);
    for (int form = COLL_TOPO_NONBLOCKING; form < FORMS; ++form) {
        profile->of_form[form] = coll_topo_profiled_add(module, communicator, plans, form);
    }
    return profile;
}

void coll_topo_profile_end_requests(struct coll_topo_requests_profile* profile) {
    if (profile == NULL) {
        return;
    }
    for (int form = COLL_TOPO_NONBLOCKING; form < FORMS; ++form) {
        if (profile->of_form[form] != NULL) {
            coll_topo_profiled_end(profile->of_form[form]);
        }
    }
    pthread_mutex_destroy(&profile->lock);
    free(profile);
}

static const bool has_size[COLL_TOPO_SERVED] = {
#define HAS_SIZE(function, number, schedule, rooted, combines, data) [COLL_TOPO_##number] = COLL_TOPO_SIZE_OF_##data,
    COLL_TOPO_CALLS(HAS_SIZE)
#undef HAS_SIZE
};

void coll_topo_profile_count_request(struct coll_topo_requests_profile* profile,
                                     const struct coll_topo_profiled_request* request) {
    struct coll_topo_communicator_profile* const calls = profile->of_form[request->form];
    if (calls == NULL || (has_size[request->collective] && request->bytes == 0)) {
        return;
    }
    const int size_class = has_size[request->collective] ? coll_topo_size_class(request->bytes) : 0;
    pthread_mutex_lock(&profile->lock);
    if (request->way == COLL_TOPO_PASSED_ON) {
        coll_topo_count_untimed(calls, request, size_class);
    } else {
        coll_topo_count_timed(calls, request, size_class);
    }
    pthread_mutex_unlock(&profile->lock);
}

int64_t coll_topo_profile_now(void) {
    return coll_topo_now();
}
