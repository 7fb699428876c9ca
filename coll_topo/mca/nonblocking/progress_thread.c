/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll_topo/mca/nonblocking/progress_thread.h"

#include "coll_topo/mca/module/at_finalize.h"
#include "coll_topo/mca/module/nonblocking.h"
#include "coll_topo/mca/module/report.h"

#include "ompi/communicator/communicator.h"
#include "ompi/runtime/mpiruntime.h"
#include "opal/runtime/opal_progress.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
/* Written with the lock, and read without it while there is something to do. */
static bool exists, under_way, ends;

static bool is_set(const bool* flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(bool* flag, bool value) {
    pthread_mutex_lock(&lock);
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
}

/* False once the thread is to end. */
static bool sleep_until_needed(void) {
    pthread_mutex_lock(&lock);
    while (!under_way && !ends) {
        pthread_cond_wait(&news, &lock);
    }
    pthread_mutex_unlock(&lock);
    return !is_set(&ends);
}

static void* make_progress(void* unused) {
    (void)unused;
    while (sleep_until_needed()) {
        while (is_set(&under_way) && !is_set(&ends)) {
            opal_progress();
            sched_yield(); /* the program's threads come first where processors are short */
        }
    }
    return NULL;
}

/* Its signals are the program's own threads'. */
static int create_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread, NULL, make_progress, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static void end_thread(void) {
    set(&ends, true);
    pthread_join(thread, NULL);
    exists = false;
}

void coll_topo_progress_thread_open(void) {
    if (!ompi_mpi_thread_multiple) {
        if (ompi_comm_rank(&ompi_mpi_comm_world.comm) == 0) {
            coll_topo_report_no_progress_thread();
        }
        return;
    }
    if (coll_topo_at_finalize(end_thread) != OMPI_SUCCESS) {
        return;
    }
    exists = create_thread() == 0;
}

void coll_topo_progress_thread_tell(bool is_under_way) {
    if (OPAL_UNLIKELY(exists)) {
        set(&under_way, is_under_way);
    }
}
