// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/transport.h"
#include "coll_topo/host_memory/host_memory.hpp"

#include <memory>
#include <new>

namespace {

template <typename Attempt>
bool had_memory(Attempt&& attempt) {
    try {
        attempt();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

template <typename SetUp>
coll_topo_host_memory* set_up(int members, int lanes, int own, SetUp&& connect) {
    std::unique_ptr<coll_topo_host_memory> memory;
    if (!had_memory([&] { memory = std::make_unique<coll_topo_host_memory>(members, lanes, own); })) return nullptr;
    return connect(*memory) ? memory.release() : nullptr;
}

}  // namespace

coll_topo_host_memory* coll_topo_host_memory_create(int members, int lanes, coll_topo_memory_offer* offer) {
    return set_up(members, lanes, 0, [&](coll_topo_host_memory& memory) { return memory.create(*offer); });
}

coll_topo_host_memory* coll_topo_host_memory_join(const coll_topo_memory_offer* offer, int members, int lanes,
                                                  int member) {
    return set_up(members, lanes, member, [&](coll_topo_host_memory& memory) { return memory.join(*offer); });
}

bool coll_topo_host_memory_can_access(coll_topo_host_memory* memory) {
    return memory->can_access_next();
}

bool coll_topo_host_memory_begin(coll_topo_host_memory* memory, const int* member_ranks, int ranks, bool threads) {
    return had_memory([&] { memory->begin(member_ranks, ranks, threads); });
}

bool coll_topo_host_memory_has_all(const coll_topo_host_memory* memory) {
    return memory != nullptr && memory->has_all();
}

void coll_topo_host_memory_free(coll_topo_host_memory* memory) {
    delete memory;
}

bool coll_topo_host_memory_serves(const coll_topo_host_memory* memory, int rank) {
    return memory->serves(rank);
}

int coll_topo_host_memory_send(coll_topo_host_memory* memory, const void* data, size_t bytes, int rank, int lane,
                               void** request) {
    return had_memory([&] { *request = memory->send(data, bytes, rank, lane); }) ? COLL_TOPO_OK
                                                                                 : COLL_TOPO_OUT_OF_MEMORY;
}

int coll_topo_host_memory_receive(coll_topo_host_memory* memory, void* data, size_t bytes, int rank, int lane,
                                  void** request) {
    return had_memory([&] { *request = memory->receive(data, bytes, rank, lane); }) ? COLL_TOPO_OK
                                                                                    : COLL_TOPO_OUT_OF_MEMORY;
}

int coll_topo_host_memory_test(coll_topo_host_memory* memory, void** request) {
    return *request == nullptr ? 1 : memory->test(request);
}

int coll_topo_host_memory_read(coll_topo_host_memory* memory, void* request, size_t at, void* into, size_t bytes) {
    return memory->read(request, at, into, bytes);
}

void coll_topo_host_memory_release(coll_topo_host_memory* memory, void** request) {
    memory->release(request);
}

void coll_topo_host_memory_cancel(coll_topo_host_memory* memory, void** request) {
    memory->cancel(request);
}

bool coll_topo_host_memory_progress(coll_topo_host_memory* memory) {
    return memory->progress();
}

int coll_topo_tagged_send(coll_topo_host_memory* memory, const void* data, size_t bytes, int rank, int tag,
                          void** request) {
    const int member = memory->member_of(rank);
    return had_memory([&] { *request = memory->tagged().send(data, bytes, member, tag); }) ? COLL_TOPO_OK
                                                                                           : COLL_TOPO_OUT_OF_MEMORY;
}

int coll_topo_tagged_receive(coll_topo_host_memory* memory, void* data, size_t bytes, int rank, int tag,
                             void** request) {
    const int member = memory->member_of(rank);
    return had_memory([&] { *request = memory->tagged().receive(data, bytes, member, tag); }) ? COLL_TOPO_OK
                                                                                              : COLL_TOPO_OUT_OF_MEMORY;
}

int coll_topo_tagged_test(coll_topo_host_memory* memory, void** request) {
    if (*request == nullptr) return 1;
    int result = 0;
    if (had_memory([&] { result = memory->tagged().test(request); })) return result;
    memory->tagged().cancel(request);
    return COLL_TOPO_OUT_OF_MEMORY;
}

bool coll_topo_tagged_stays(size_t bytes) {
    return bytes > coll_topo::Channel::most_beside;
}

int coll_topo_tagged_read(coll_topo_host_memory* memory, void* request, size_t at, void* into, size_t bytes) {
    return memory->tagged().read(request, at, into, bytes);
}

void coll_topo_tagged_release(coll_topo_host_memory* memory, void** request) {
    memory->tagged().release(request);
}

void coll_topo_tagged_cancel(coll_topo_host_memory* memory, void** request) {
    memory->tagged().cancel(request);
}
