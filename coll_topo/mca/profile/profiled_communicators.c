/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/profile/profiled_communicators.h"

#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/previous.h"
#include "coll_topo/mca/profile/rank_tree.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Calls are looked at in so many communicators that have been freed, and in all others. */
enum { MOST_FREED_LOOKED_AT = 64 };

struct coll_topo_profiled_job coll_topo_profiled_job;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int freed_count;

static void free_served(struct coll_topo_kind* kind) {
    while (kind->served != NULL) {
        struct coll_topo_served* next = kind->served->next;
        free(kind->served);
        kind->served = next;
    }
}

static void destroy(struct coll_topo_communicator_profile* profile) {
    FOR_EACH_KIND(kind, profile) {
        free_served(kind);
        free(kind);
    }
    free(profile->members);
    free(profile);
}

/* Its ranks in MPI_COMM_WORLD; NULL if some are of other jobs. */
static int* members_of(struct ompi_communicator_t* communicator) {
    const int size = ompi_comm_size(communicator);
    int* members = malloc((size_t)size * sizeof *members);
    for (int rank = 0; members != NULL && rank < size; ++rank) {
        const opal_process_name_t name = ompi_group_get_proc_name(communicator->c_local_group, rank);
        if (name.jobid != OPAL_PROC_MY_NAME.jobid) {
            free(members);
            return NULL;
        }
        members[rank] = (int)name.vpid;
    }
    return members;
}

static void compare_clocks_at_first(void) {
    struct coll_topo_rank_tree tree;
    if (coll_topo_rank_tree_make(&tree) == OMPI_SUCCESS) {
        if (coll_topo_compare_clocks(&tree, &coll_topo_profiled_job.first_reading) != OMPI_SUCCESS) {
            coll_topo_profiled_job.first_reading.at = 0;
        }
        coll_topo_rank_tree_free(&tree);
    }
}

static const char* passed_on_to(struct coll_topo_module* module, struct ompi_communicator_t* communicator, int form,
                                int collective) {
    return form == COLL_TOPO_BLOCKING
               ? coll_topo_previous_component(module, communicator, collective)
               : coll_topo_previous_component_of_requests(module, communicator, form, collective);
}

struct coll_topo_communicator_profile* coll_topo_profiled_add(struct coll_topo_module* module,
                                                              struct ompi_communicator_t* communicator,
                                                              coll_topo_communicator* plans, int form) {
    const struct coll_topo_parameters* parameters = &coll_topo_parameters;
    const bool has_rules = parameters->rules_file != NULL && parameters->rules_file[0] != '\0';
    struct coll_topo_communicator_profile* profile =
        coll_topo_profiled_job.profile != NULL ? calloc(1, sizeof *profile) : NULL;
    if (profile == NULL) {
        return NULL;
    }
    profile->plans = plans;
    profile->module = module;
    profile->form = form;
    profile->ranks = ompi_comm_size(communicator);
    profile->rank = ompi_comm_rank(communicator);
    profile->members = profile->rank == 0 ? members_of(communicator) : NULL;
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        profile->by_user[collective] = has_rules || parameters->settings.algorithm[collective] >= 0;
        snprintf(profile->passed_on_to[collective], sizeof profile->passed_on_to[collective], "%s",
                 passed_on_to(module, communicator, form, collective));
    }
    pthread_mutex_lock(&lock);
    profile->next = coll_topo_profiled_job.in_use;
    coll_topo_profiled_job.in_use = profile;
    pthread_mutex_unlock(&lock);
    return profile;
}

void coll_topo_profile_begin(struct coll_topo_module* module, struct ompi_communicator_t* communicator,
                             uint64_t identity) {
    if (communicator == &ompi_mpi_comm_world.comm) {
        compare_clocks_at_first();
    }
    struct coll_topo_communicator_profile* profile =
        module->passing != NULL ? coll_topo_profiled_add(module, communicator, module->plans, COLL_TOPO_BLOCKING)
                                : NULL;
    if (profile == NULL) {
        return;
    }
    profile->state = COLL_TOPO_IN_CALL;
    profile->times_call = true;
    profile->last_ways = coll_topo_last_ways(module->plans);
    profile->left_of_streak = coll_topo_streaks(module->plans);
    profile->may_streak = module->reproducible == COLL_TOPO_ANY_ORDER;
    profile->identity = identity;
    module->choose = coll_topo_choose_in_streak;
    module->profile = profile;
}

/* Adds the counts to the profile of the job, once. */
static void add_to_job(struct coll_topo_communicator_profile* profile) {
    if (profile->plans == NULL) {
        return;
    }
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        coll_topo_end_streak(profile, collective);
    }
    const bool counts = profile->rank == 0 && !profile->module->in_profile;
    coll_topo_profile_add_communicator(coll_topo_profiled_job.profile, profile->plans, counts, profile->members);
    profile->module->in_profile = true;
    FOR_EACH_KIND(kind, profile) {
        for (struct coll_topo_served* served = kind->served; served != NULL; served = served->next) {
            const coll_topo_profile_kind what = {.collective = kind->collective,
                                                 .form = profile->form,
                                                 .size_class = kind->size_class,
                                                 .way = served->way,
                                                 .passed_on_to = profile->passed_on_to[kind->collective],
                                                 .by_user = profile->by_user[kind->collective],
                                                 .counts_calls = profile->rank == 0};
            served->row = coll_topo_profile_add(coll_topo_profiled_job.profile, profile->plans, &what, &served->counts);
        }
        for (int number = 0; number < kind->looks; ++number) {
            struct coll_topo_look* look = &kind->look[number];
            look->row = look->served != NULL ? look->served->row : -1;
            look->served = NULL;
        }
    }
    profile->plans = NULL;
}

void coll_topo_profiled_end(struct coll_topo_communicator_profile* profile) {
    pthread_mutex_lock(&lock);
    struct coll_topo_communicator_profile** place = &coll_topo_profiled_job.in_use;
    while (*place != profile) {
        place = &(*place)->next;
    }
    *place = profile->next;
    if (coll_topo_profiled_job.profile != NULL && profile->plans != NULL) {
        add_to_job(profile);
        /* Only blocking calls are looked at. */
        if (profile->form == COLL_TOPO_BLOCKING && freed_count < MOST_FREED_LOOKED_AT) {
            FOR_EACH_KIND(kind, profile) {
                free_served(kind);
            }
            profile->next = coll_topo_profiled_job.freed;
            coll_topo_profiled_job.freed = profile;
            ++freed_count;
            profile = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    if (profile != NULL) {
        destroy(profile);
    }
}

void coll_topo_profile_end(struct coll_topo_module* module) {
    struct coll_topo_communicator_profile* profile = module->profile;
    if (profile != NULL) {
        module->profile = NULL;
        coll_topo_profiled_end(profile);
    }
}

void coll_topo_profiled_add_all(void) {
    for (struct coll_topo_communicator_profile* profile = coll_topo_profiled_job.in_use; profile != NULL;
         profile = profile->next) {
        add_to_job(profile);
    }
}

void coll_topo_profiled_discard(void) {
    coll_topo_profile_free(coll_topo_profiled_job.profile);
    coll_topo_profiled_job.profile = NULL;
    while (coll_topo_profiled_job.freed != NULL) {
        struct coll_topo_communicator_profile* next = coll_topo_profiled_job.freed->next;
        destroy(coll_topo_profiled_job.freed);
        coll_topo_profiled_job.freed = next;
    }
}
