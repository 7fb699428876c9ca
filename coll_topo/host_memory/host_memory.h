/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between processes of one host through memory: short ones in a segment that they share, long ones read by the
 * receiver where the sender has them (cross memory attach). The segment has no name: nothing can be left behind, and
 * only processes of the same user can open it. As C sees it; no exception leaves these functions.
 *
 *     sender                    slot of (sender, receiver, lane, n)         receiver
 *     announces number n   ->   n, and the data or their address       ->   takes the data,
 *     may go on            <-   n is taken                             <-   says so
 *
 * There are a few slots, each for one message. Messages match in the order posted, as MPI's do of one tag: they serve
 * one call at a time. Those with tags serve any number: see channel.hpp.
 */
#ifndef COLL_TOPO_HOST_MEMORY_H
#define COLL_TOPO_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coll_topo_host_memory coll_topo_host_memory;

/* What the process that makes the segment tells the others on its host. */
typedef struct {
    int32_t process;    /* its id */
    int32_t descriptor; /* of the segment, in that process */
    uint64_t token[2];  /* at the segment's begin: the process is the one that was meant, in the same namespace */
} coll_topo_memory_offer;

/* ---- setting up: members are numbered alike by all, 0 makes the segment ---------------------------------------- */

/* NULL where the system does not allow it, or has no memory. `lanes`: messages of so many lanes are kept apart. */
coll_topo_host_memory* coll_topo_host_memory_create(int members, int lanes, coll_topo_memory_offer* offer);
coll_topo_host_memory* coll_topo_host_memory_join(const coll_topo_memory_offer* offer, int members, int lanes,
                                                  int member);
/* Once all have joined: whether the memory of the next member can be read and written. */
bool coll_topo_host_memory_can_access(coll_topo_host_memory* memory);
/* Which member is which rank: member_ranks[0..members), ascending; of so many ranks. No other process can join from now
 * on. `threads`: several may send messages with tags. False: no memory. */
bool coll_topo_host_memory_begin(coll_topo_host_memory* memory, const int* member_ranks, int ranks, bool threads);
/* Whether all ranks are members; NULL: no. */
bool coll_topo_host_memory_has_all(const coll_topo_host_memory* memory);
void coll_topo_host_memory_free(coll_topo_host_memory* memory);

/* ---- messages of the call that waits: of one thread ------------------------------------------------------------- */

/* Whether messages to and from a rank go this way: both see it alike. */
bool coll_topo_host_memory_serves(const coll_topo_host_memory* memory, int rank);

/* Post a message to or from such a rank: COLL_TOPO_OK or COLL_TOPO_OUT_OF_MEMORY. Requests are multiples of 16; a send
 * that is done at once, as short ones mostly are, has none: NULL. What is received may be shorter. */
int coll_topo_host_memory_send(coll_topo_host_memory* memory, const void* data, size_t bytes, int rank, int lane,
                               void** request);
/* `data` NULL: the data stay where the sender has them, to be read from there. */
int coll_topo_host_memory_receive(coll_topo_host_memory* memory, void* data, size_t bytes, int rank, int lane,
                                  void** request);

/* 1: done, or NULL; the request is gone, unless its data are to be read: they can be now. 0: not yet. COLL_TOPO_FAILED:
 * the sender's memory cannot be read; COLL_TOPO_TRUNCATED: what was sent is longer; the request is gone. Where all
 * ranks are members, copies some of a long message; else progress() does, so that whoever waits for messages of a
 * network too can pass them on first. */
enum { COLL_TOPO_TRUNCATED = -3 };
int coll_topo_host_memory_test(coll_topo_host_memory* memory, void** request);
/* Bytes [at, at + bytes) of the data of a request that test() said can be read; COLL_TOPO_OK or COLL_TOPO_FAILED. */
int coll_topo_host_memory_read(coll_topo_host_memory* memory, void* request, size_t at, void* into, size_t bytes);
/* Ends a request whose data have been read: its sender may go on. */
void coll_topo_host_memory_release(coll_topo_host_memory* memory, void** request);
/* Ends any request after an error. Later messages still meet their own receives. */
void coll_topo_host_memory_cancel(coll_topo_host_memory* memory, void** request);

/* Announces what could not be announced when it was posted, because the slot was taken, and copies some of the long
 * message that test() has found first. To be called while anything is waited for. True: other messages of the process
 * are to move too. Where all ranks are members, only the application's are left, and this is so in some of the calls:
 * to look after those takes several times as long as to look here. */
bool coll_topo_host_memory_progress(coll_topo_host_memory* memory);

/* ---- messages with tags, of calls of which any number are under way: of any thread ------------------------------- */

/* As above. Messages of one tag from one rank to another match in the order posted. */
int coll_topo_tagged_send(coll_topo_host_memory* memory, const void* data, size_t bytes, int rank, int tag,
                          void** request);
int coll_topo_tagged_receive(coll_topo_host_memory* memory, void* data, size_t bytes, int rank, int tag,
                             void** request);
/* Also COLL_TOPO_OUT_OF_MEMORY; the request is gone. */
int coll_topo_tagged_test(coll_topo_host_memory* memory, void** request);
/* Whether the data of a message of so many bytes stay with the sender until they are read. */
bool coll_topo_tagged_stays(size_t bytes);
int coll_topo_tagged_read(coll_topo_host_memory* memory, void* request, size_t at, void* into, size_t bytes);
void coll_topo_tagged_release(coll_topo_host_memory* memory, void** request);
void coll_topo_tagged_cancel(coll_topo_host_memory* memory, void** request);

#ifdef __cplusplus
}
#endif
#endif
