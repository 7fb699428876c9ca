/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/progress.h"

#include "coll_topo/mca/nonblocking/progress_thread.h"

#include "opal/runtime/opal_progress.h"

/* Whoever holds it looks at the calls: one thread at a time, and never from within a call that is being looked at. The
 * others do not wait for it. It guards the first list of each kind. */
static bool busy;
static struct coll_topo_request* active;
static struct coll_topo_nonblocking* agreeing;
/* What has been added since, by any thread. */
static struct coll_topo_request* added;
static struct coll_topo_nonblocking* added_agreeing;

static bool registered;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

/* Atomic instructions wait for all stores before them, which the shortest calls notice: one thread alone needs none,
 * and nobody where nothing has been added. */
#define PUSH(list, item, next)                                     \
    do {                                                           \
        (item)->next = __atomic_load_n(&(list), __ATOMIC_RELAXED); \
        if (OPAL_LIKELY(!opal_using_threads())) {                  \
            (list) = (item);                                       \
            break;                                                 \
        }                                                          \
    } while (!__atomic_compare_exchange_n(&(list), &(item)->next, (item), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))

/* Puts what has been added before the rest of a list. */
#define TAKE_OVER(type, list, added_list, next)                                 \
    do {                                                                        \
        type* first = __atomic_load_n(&(added_list), __ATOMIC_SEQ_CST);         \
        if (first != NULL) {                                                    \
            first = __atomic_exchange_n(&(added_list), NULL, __ATOMIC_SEQ_CST); \
        }                                                                       \
        while (first != NULL) {                                                 \
            type* const following = first->next;                                \
            first->next = (list);                                               \
            (list) = first;                                                     \
            first = following;                                                  \
        }                                                                       \
    } while (0)

static bool nothing_added(void) {
    return __atomic_load_n(&added, __ATOMIC_SEQ_CST) == NULL &&
           __atomic_load_n(&added_agreeing, __ATOMIC_SEQ_CST) == NULL;
}

/* Returns how many calls have ended. */
static int look_at_calls(void) {
    int ended = 0;
    struct coll_topo_request** place = &active;
    while (*place != NULL) {
        struct coll_topo_request* const call = *place;
        if (!coll_topo_request_advance(call)) {
            place = &call->next;
            continue;
        }
        *place = call->next;
        coll_topo_request_complete(call);
        ++ended;
    }
    return ended;
}

static int look_at_agreements(void) {
    int ended = 0;
    struct coll_topo_nonblocking** place = &agreeing;
    while (*place != NULL) {
        struct coll_topo_nonblocking* const state = *place;
        if (!coll_topo_nonblocking_agree(state)) {
            place = &state->next_agreeing;
            continue;
        }
        *place = state->next_agreeing;
        coll_topo_request_start_waiting(state);
        ++ended;
    }
    return ended;
}

static int progress(void);

/* Unless something is added at this moment: who does so sees that nothing is registered, or is seen here. */
static void rest(void) {
    pthread_mutex_lock(&registering);
    __atomic_store_n(&registered, false, __ATOMIC_SEQ_CST);
    if (nothing_added()) {
        opal_progress_unregister(progress);
        coll_topo_progress_thread_tell(false);
    } else {
        __atomic_store_n(&registered, true, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&registering);
}

static bool enter(void) {
    if (OPAL_UNLIKELY(opal_using_threads())) {
        return !__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE);
    }
    const bool free = !busy;
    busy = true;
    return free;
}

static int progress(void) {
    if (!enter()) {
        return 0;
    }
    TAKE_OVER(struct coll_topo_request, active, added, next);
    TAKE_OVER(struct coll_topo_nonblocking, agreeing, added_agreeing, next_agreeing);
    int ended = 0;
    if (active == NULL && agreeing == NULL) {
        rest();
    } else {
        ended = look_at_calls() + look_at_agreements();
    }
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return ended;
}

static void wake(void) {
    if (OPAL_LIKELY(__atomic_load_n(&registered, __ATOMIC_SEQ_CST))) {
        return;
    }
    pthread_mutex_lock(&registering);
    if (!registered) {
        opal_progress_register(progress);
        coll_topo_progress_thread_tell(true);
        __atomic_store_n(&registered, true, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&registering);
}

void coll_topo_progress_add(struct coll_topo_request* call) {
    PUSH(added, call, next);
    wake();
}

void coll_topo_progress_add_agreement(struct coll_topo_nonblocking* state) {
    PUSH(added_agreeing, state, next_agreeing);
    wake();
}

void coll_topo_progress_abandon(struct coll_topo_nonblocking* state) {
    TAKE_OVER(struct coll_topo_request, active, added, next);
    TAKE_OVER(struct coll_topo_nonblocking, agreeing, added_agreeing, next_agreeing);
    for (struct coll_topo_request** place = &active; *place != NULL;) {
        if ((*place)->state == state) {
            *place = (*place)->next;
        } else {
            place = &(*place)->next;
        }
    }
    for (struct coll_topo_nonblocking** place = &agreeing; *place != NULL;) {
        if (*place == state) {
            *place = state->next_agreeing;
        } else {
            place = &(*place)->next_agreeing;
        }
    }
}

void coll_topo_progress_close(void) {
    if (registered) {
        opal_progress_unregister(progress);
        registered = false;
    }
}
