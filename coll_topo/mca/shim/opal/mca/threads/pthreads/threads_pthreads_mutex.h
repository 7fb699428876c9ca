/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for a header that packages of Open MPI 5.0 forget to install although <opal/mca/threads/mutex.h> includes
 * it. The types must be as large as Open MPI's own: those of pthreads. */
#ifndef OPAL_MCA_THREADS_PTHREADS_THREADS_PTHREADS_MUTEX_H
#define OPAL_MCA_THREADS_PTHREADS_THREADS_PTHREADS_MUTEX_H

#include "opal/class/opal_object.h"
#include "opal/constants.h"

#include <pthread.h>

typedef pthread_mutex_t opal_thread_internal_mutex_t;
typedef pthread_cond_t opal_thread_internal_cond_t;

#define OPAL_THREAD_INTERNAL_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define OPAL_THREAD_INTERNAL_RECURSIVE_MUTEX_INITIALIZER PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#define OPAL_THREAD_INTERNAL_COND_INITIALIZER PTHREAD_COND_INITIALIZER

static inline int opal_thread_internal_status(int error) {
    return error == 0 ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO;
}

/* Open MPI's library does not export its own. */
static inline int opal_thread_internal_mutex_init_recursive(opal_thread_internal_mutex_t* mutex) {
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error == 0) {
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        error = pthread_mutex_init(mutex, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    return opal_thread_internal_status(error);
}

static inline int opal_thread_internal_mutex_init(opal_thread_internal_mutex_t* mutex, bool recursive) {
    return recursive ? opal_thread_internal_mutex_init_recursive(mutex)
                     : opal_thread_internal_status(pthread_mutex_init(mutex, NULL));
}

static inline void opal_thread_internal_mutex_destroy(opal_thread_internal_mutex_t* mutex) {
    pthread_mutex_destroy(mutex);
}

static inline int opal_thread_internal_mutex_trylock(opal_thread_internal_mutex_t* mutex) {
    return pthread_mutex_trylock(mutex) != 0;
}

static inline void opal_thread_internal_mutex_lock(opal_thread_internal_mutex_t* mutex) {
    pthread_mutex_lock(mutex);
}

static inline void opal_thread_internal_mutex_unlock(opal_thread_internal_mutex_t* mutex) {
    pthread_mutex_unlock(mutex);
}

static inline int opal_thread_internal_cond_init(opal_thread_internal_cond_t* condition) {
    return opal_thread_internal_status(pthread_cond_init(condition, NULL));
}

static inline void opal_thread_internal_cond_destroy(opal_thread_internal_cond_t* condition) {
    pthread_cond_destroy(condition);
}

static inline void opal_thread_internal_cond_wait(opal_thread_internal_cond_t* condition,
                                                  opal_thread_internal_mutex_t* mutex) {
    pthread_cond_wait(condition, mutex);
}

static inline void opal_thread_internal_cond_signal(opal_thread_internal_cond_t* condition) {
    pthread_cond_signal(condition);
}

static inline void opal_thread_internal_cond_broadcast(opal_thread_internal_cond_t* condition) {
    pthread_cond_broadcast(condition);
}

#endif
