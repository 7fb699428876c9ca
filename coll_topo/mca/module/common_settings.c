/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/module/common_settings.h"

#include "coll_topo/mca/compatibility.h"
#include "coll_topo/mca/module/messages.h"
#include "coll_topo/mca/module/parameters.h"
#include "coll_topo/mca/module/previous.h"
#include "coll_topo/mca/module/reproducible.h"

#include "ompi/communicator/communicator.h"

struct coll_topo_common_settings coll_topo_own_settings(const struct coll_topo_module* module,
                                                        struct ompi_communicator_t* communicator) {
    coll_topo_parameters_check(); /* a tool may have set them since they were read */
    struct coll_topo_common_settings own = {.parameters = coll_topo_parameters_digest(0),
                                            .withdrawn = module->withdrawn,
                                            .reproducible = coll_topo_reproducible_of(communicator)};
    if (coll_topo_parameters.compare_with_tuned && own.reproducible == COLL_TOPO_ANY_ORDER) {
        own.compared_with_tuned = coll_topo_served_by_tuned(module, communicator);
    }
    for (int call = 0; call < COLL_TOPO_SERVED; ++call) {
        own.algorithm[call] = coll_topo_parameters.settings.algorithm[call];
    }
    return own;
}

uint64_t coll_topo_settings_digest(const struct coll_topo_common_settings* settings) {
    uint64_t digest = coll_topo_digest_number(settings->parameters, (uint64_t)settings->withdrawn);
    digest = coll_topo_digest_number(digest, (uint64_t)settings->reproducible);
    digest = coll_topo_digest_number(digest, settings->compared_with_tuned);
    for (int call = 0; call < COLL_TOPO_SERVED; ++call) {
        digest = coll_topo_digest_number(digest, (uint64_t)settings->algorithm[call]);
    }
    return digest;
}

/* Of this process and the number of communicators it was the first rank of. */
static uint64_t new_identity(void) {
    static uint64_t communicators;
    const uint64_t number = __atomic_add_fetch(&communicators, 1, __ATOMIC_RELAXED);
    const uint64_t process =
        coll_topo_digest_number(coll_topo_digest_number(0, OPAL_PROC_MY_NAME.jobid), OPAL_PROC_MY_NAME.vpid);
    return coll_topo_digest_number(process, number);
}

static void learn(struct coll_topo_known* known, const struct coll_topo_known* theirs) {
    known->set |= theirs->set;
    known->clear |= theirs->clear;
    known->identity |= theirs->identity;
    known->missed = theirs->missed > known->missed ? theirs->missed : known->missed;
}

static struct coll_topo_comparison result_of(const struct coll_topo_known* known) {
    return (struct coll_topo_comparison){
        .equal = (known->set & known->clear) == 0, .missed = (int)known->missed - 1, .identity = known->identity};
}

/* By dissemination: after step k, each rank knows what the 2^k ranks up to itself know. A rank that declines says so in
 * each step, so that all who wait for it, and those after them, learn that; what it would have passed on does not
 * matter then. */
int coll_topo_settings_compare(struct ompi_communicator_t* communicator, const struct coll_topo_common_settings* own,
                               struct coll_topo_comparison* result) {
    const int size = ompi_comm_size(communicator), rank = ompi_comm_rank(communicator);
    const uint64_t digest = coll_topo_settings_digest(own);
    struct coll_topo_known known = {digest, ~digest, rank == 0 ? new_identity() : 0, 0}, theirs;
    for (int64_t distance = 1; distance < size; distance *= 2) {
        const int target = (int)((rank + distance) % size), source = (int)((rank - distance + size) % size);
        const int error = coll_topo_message_exchange(communicator, target, &known, source, &theirs, sizeof known);
        if (error != OMPI_SUCCESS) {
            return error;
        }
        learn(&known, &theirs);
    }
    *result = result_of(&known);
    return OMPI_SUCCESS;
}

void coll_topo_compare_begin(struct coll_topo_comparing* comparing, const struct coll_topo_common_settings* own) {
    const uint64_t digest = coll_topo_settings_digest(own);
    *comparing = (struct coll_topo_comparing){.known = {digest, ~digest, 0, 0}, .distance = 1};
}

/* Posts what the next step takes. */
static int post_step(struct coll_topo_comparing* comparing, struct ompi_communicator_t* communicator) {
    const int size = ompi_comm_size(communicator), rank = ompi_comm_rank(communicator);
    const int target = (int)((rank + comparing->distance) % size);
    const int source = (int)((rank - comparing->distance + size) % size);
    comparing->told = comparing->known;
    int error = coll_topo_message_post_receive(communicator, source, &comparing->theirs, sizeof comparing->theirs,
                                               &comparing->receive);
    if (error == OMPI_SUCCESS) {
        error = coll_topo_message_post_send(communicator, target, &comparing->told, sizeof comparing->told,
                                            &comparing->send);
    }
    return error;
}

bool coll_topo_compare_advance(struct coll_topo_comparing* comparing, struct ompi_communicator_t* communicator,
                               struct coll_topo_comparison* result, int* error) {
    *error = OMPI_SUCCESS;
    while (*error == OMPI_SUCCESS && comparing->distance < ompi_comm_size(communicator)) {
        if (comparing->receive == NULL) {
            *error = post_step(comparing, communicator);
        }
        const bool done = *error == OMPI_SUCCESS && coll_topo_message_test(communicator, &comparing->receive, error) &&
                          coll_topo_message_test(communicator, &comparing->send, error);
        if (!done && *error == OMPI_SUCCESS) {
            return false;
        }
        if (done) {
            coll_topo_message_end(&comparing->receive);
            coll_topo_message_end(&comparing->send);
            learn(&comparing->known, &comparing->theirs);
            comparing->distance *= 2;
        }
    }
    if (*error != OMPI_SUCCESS) {
        coll_topo_message_cancel(&comparing->receive);
        coll_topo_message_end(&comparing->send);
    }
    *result = result_of(&comparing->known);
    return true;
}

int coll_topo_settings_decline(struct ompi_communicator_t* communicator, int missed) {
    const int size = ompi_comm_size(communicator), rank = ompi_comm_rank(communicator);
    const struct coll_topo_known known = {.missed = (uint64_t)missed + 1};
    int error = OMPI_SUCCESS;
    for (int64_t distance = 1; distance < size && error == OMPI_SUCCESS; distance *= 2) {
        error = coll_topo_message_send(communicator, (int)((rank + distance) % size), &known, sizeof known);
    }
    return error;
}
