/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for a header that packages of Open MPI 5.0 forget to install, see threads_pthreads_mutex.h. */
#ifndef OPAL_MCA_THREADS_PTHREADS_THREADS_PTHREADS_TSD_H
#define OPAL_MCA_THREADS_PTHREADS_THREADS_PTHREADS_TSD_H

#include "opal/constants.h"

#include <pthread.h>

typedef pthread_key_t opal_tsd_key_t;

static inline int opal_tsd_set(opal_tsd_key_t key, void* value) {
    return pthread_setspecific(key, value) == 0 ? OPAL_SUCCESS : OPAL_ERR_IN_ERRNO;
}

static inline int opal_tsd_get(opal_tsd_key_t key, void** value) {
    *value = pthread_getspecific(key);
    return OPAL_SUCCESS;
}

#endif
