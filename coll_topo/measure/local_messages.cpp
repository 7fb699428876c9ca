// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/local_messages.hpp"

#include <algorithm>

namespace coll_topo::bench {
namespace {

constexpr int tag = 2;
constexpr int members = 2, lanes = 1;

}  // namespace

LocalMessages::LocalMessages(MPI_Comm communicator, const std::vector<RankPair>& pairs) : communicator_(communicator) {
    int rank = 0, ranks = 0, works = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const auto own =
        std::ranges::find_if(pairs, [&](const RankPair& pair) { return pair.first == rank || pair.second == rank; });
    if (own != pairs.end()) works = connect(*own, rank) ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, communicator);
    if (own != pairs.end() && works != 0) {
        const int member_ranks[members] = {own->first, own->second};
        works = coll_topo_host_memory_can_access(memory_.get()) &&
                coll_topo_host_memory_begin(memory_.get(), member_ranks, ranks, false);
    }
    MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, communicator);
    if (works == 0) memory_.reset();
}

bool LocalMessages::connect(const RankPair& pair, int own) {
    coll_topo_memory_offer offer{};
    if (own == pair.first) {
        memory_.reset(coll_topo_host_memory_create(members, lanes, &offer));
        MPI_Send(&offer, sizeof offer, MPI_BYTE, pair.second, tag, communicator_);
    } else {
        MPI_Recv(&offer, sizeof offer, MPI_BYTE, pair.first, tag, communicator_, MPI_STATUS_IGNORE);
        if (offer.process != 0) memory_.reset(coll_topo_host_memory_join(&offer, members, lanes, 1));
    }
    return memory_ != nullptr;
}

void LocalMessages::send(int peer, const char* data, std::size_t bytes) const {
    void* request = nullptr;
    if (memory_ == nullptr) {
        MPI_Send(data, static_cast<int>(bytes), MPI_CHAR, peer, tag, communicator_);
    } else if (coll_topo_host_memory_send(memory_.get(), data, bytes, peer, 0, &request) == 0) {
        wait(request);
    }
}

void LocalMessages::receive(int peer, char* data, std::size_t bytes) const {
    void* request = nullptr;
    if (memory_ == nullptr) {
        MPI_Recv(data, static_cast<int>(bytes), MPI_CHAR, peer, tag, communicator_, MPI_STATUS_IGNORE);
    } else if (coll_topo_host_memory_receive(memory_.get(), data, bytes, peer, 0, &request) == 0) {
        wait(request);
    }
}

void LocalMessages::wait(void* request) const {
    while (coll_topo_host_memory_test(memory_.get(), &request) == 0) {
        coll_topo_host_memory_progress(memory_.get());
    }
}

}  // namespace coll_topo::bench
