/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that go nowhere and come from nowhere, in place of those of Open MPI's point-to-point layer (PML): what is
 * sent is taken, zeros are received. They end in no order, while progress is made. Each may fail when it is posted or
 * when it ends.
 */
#ifndef COLL_TOPO_TEST_MPI_FAKE_MESSAGES_H
#define COLL_TOPO_TEST_MPI_FAKE_MESSAGES_H

/* The error with which messages fail. */
#define FAKE_ERROR MPI_ERR_IO

struct fake_outcome {
    int events;         /* messages posted, and messages that ended */
    int under_way;      /* receives left behind */
    const char* misuse; /* what was done that must not be: the first of it; else NULL */
};

/* From here on, in this process. Event number `nth`, counted from 0, fails; -1: none does. */
void fake_messages_begin(int nth);
/* Back to Open MPI's messages. */
struct fake_outcome fake_messages_end(void);

#endif
