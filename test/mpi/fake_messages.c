/* SPDX-License-Identifier: BSD-3-Clause */
#include "test/mpi/fake_messages.h"
#include "coll_topo/mca/compatibility.h"

#include "ompi/mca/pml/pml.h"
#include "ompi/request/request.h"
#include "opal/runtime/opal_progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 4096 };

struct message {
    ompi_request_t request; /* first, so that the functions find the rest */
    bool receives, freed;
    int end; /* when it ends, in times that progress was made */
};

static struct message messages[MOST_MESSAGES];
static int posted, time_now, failing;
static bool failed, refused; /* any event; the posting of a message, of which the caller knows at once */
static uint32_t random_number;
static struct fake_outcome outcome;
static mca_pml_base_module_t open_mpi;

static void complain(const char* what) {
    if (outcome.misuse == NULL) outcome.misuse = what;
}

static bool fails(void) {
    failed = failed || outcome.events == failing;
    return outcome.events++ == failing;
}

static void end(struct message* message, int error) {
    message->request.req_status.MPI_ERROR = error;
    message->request.req_complete = REQUEST_COMPLETED;
}

/* Of peers that have heard of no error, and may have nothing to send. */
static bool never_ends(const struct message* message) {
    return refused && message->receives;
}

static int make_progress(void) {
    time_now++;
    if (time_now > 1000000) {
        fprintf(stderr, "it waits without end\n");
        abort();
    }
    for (int i = 0; i < posted; i++)
        if (!REQUEST_COMPLETE(&messages[i].request) && messages[i].end <= time_now && !never_ends(&messages[i]))
            end(&messages[i], fails() ? FAKE_ERROR : MPI_SUCCESS);
    return 0;
}

static int free_request(ompi_request_t** request) {
    struct message* message = (struct message*)*request;
    if (message->freed) complain("a request is freed again");
    if (message->receives && !REQUEST_COMPLETE(*request)) complain("a receive is freed while it is under way");
    if (!failed && !REQUEST_COMPLETE(*request)) complain("a send is not waited for");
    message->freed = true;
    *request = NULL;
    return OMPI_SUCCESS;
}

static int cancel_request(ompi_request_t* request, int flag) {
    struct message* message = (struct message*)request;
    (void)flag;
    if (!failed) complain("a request is cancelled without an error");
    if (message->freed) complain("a request is cancelled that is gone");
    if (!REQUEST_COMPLETE(request)) end(message, MPI_SUCCESS);
    return OMPI_SUCCESS;
}

static int post(bool receives, ompi_request_t** request) {
    if (refused) complain("a message is posted after an error");
    refused = fails();
    if (refused) return FAKE_ERROR;
    struct message* message = &messages[posted++];
    if (posted == MOST_MESSAGES) abort();
    random_number = random_number * 1664525 + 1013904223;
    message->receives = receives;
    message->freed = false;
    message->end = time_now + (int)(random_number >> 30);
    OBJ_CONSTRUCT(&message->request, ompi_request_t);
    message->request.req_complete = REQUEST_PENDING;
    message->request.req_free = free_request;
    message->request.req_cancel = cancel_request;
    *request = &message->request;
    return OMPI_SUCCESS;
}

static int send_nowhere(const void* data, size_t count, struct ompi_datatype_t* type, int peer, int tag,
                        mca_pml_base_send_mode_t mode, struct ompi_communicator_t* communicator,
                        ompi_request_t** request) {
    (void)data, (void)count, (void)type, (void)peer, (void)tag, (void)mode, (void)communicator;
    return post(false, request);
}

static int receive_zeros(void* data, size_t count, struct ompi_datatype_t* type, int peer, int tag,
                         struct ompi_communicator_t* communicator, ompi_request_t** request) {
    (void)peer, (void)tag, (void)communicator;
    if (type == MPI_BYTE) memset(data, 0, count);
    return post(true, request);
}

void fake_messages_begin(int nth) {
    failing = nth;
    failed = refused = false;
    posted = time_now = 0;
    random_number = 1;
    outcome = (struct fake_outcome){0};
    open_mpi = mca_pml;
    mca_pml.pml_isend = send_nowhere;
    mca_pml.pml_irecv = receive_zeros;
    opal_progress_register(make_progress);
}

struct fake_outcome fake_messages_end(void) {
    opal_progress_unregister(make_progress);
    mca_pml = open_mpi;
    for (int i = 0; i < posted; i++) {
        if (messages[i].receives && !messages[i].freed) outcome.under_way++;
        OBJ_DESTRUCT(&messages[i].request);
    }
    return outcome;
}
