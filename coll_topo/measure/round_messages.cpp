// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/round_messages.hpp"

#include "coll_topo/measure/deadline_requests.hpp"
#include "coll_topo/mpi_run/clock.hpp"

#include <sched.h>
#include <algorithm>
#include <map>
#include <vector>

namespace coll_topo::bench {

namespace {

constexpr int short_bytes = 8;
constexpr int most_alike = tags_of_round / 2;  // messages of a round from one host to another

int speaker(const Speakers& speakers, int host) {
    return speakers[static_cast<std::size_t>(host)];
}

/// Memory for long messages. What is sent does not matter, and what arrives is not looked at. Never freed: a transfer
/// that was given up may still use it.
char* message_memory(std::size_t bytes) {
    static std::vector<std::vector<char>>& blocks = *new std::vector<std::vector<char>>;
    if (blocks.empty() || blocks.back().size() < bytes) blocks.emplace_back(bytes);
    return blocks.back().data();
}

/// One way of a short message with a deadline.
bool send_short(char* data, int peer, int tag, MPI_Comm communicator, double deadline) {
    MPI_Request request;
    MPI_Isend(data, short_bytes, MPI_CHAR, peer, tag, communicator, &request);
    if (ends_before(request, deadline)) return true;
    give_up_send(request);
    return false;
}

bool receive_short(char* data, int peer, int tag, MPI_Comm communicator, double deadline) {
    MPI_Request request;
    MPI_Irecv(data, short_bytes, MPI_CHAR, peer, tag, communicator, &request);
    if (ends_before(request, deadline)) return true;
    give_up_receive(request);
    return false;
}

/// The receiver says that it is ready; then the sender sends, one transfer after the other.
struct LongMessage {
    int index = 0;
    int peer = 0;
    int tag = 0;
    int bytes = 0;
    bool sends = false;
    char* memory = nullptr;
    int transfers_left = acceptance::transfers;
    bool ready = false;  // of a sender: the receiver is
    double begin = 0;
    std::vector<double> seconds = {};
    MPI_Request request = MPI_REQUEST_NULL;

    /// Not that of the message, as another message may run the other way.
    int ready_tag() const { return tag + most_alike; }

    void start(MPI_Comm communicator) {
        if (sends) {
            MPI_Irecv(nullptr, 0, MPI_CHAR, peer, ready_tag(), communicator, &request);
            return;
        }
        MPI_Irecv(memory, bytes, MPI_CHAR, peer, tag, communicator, &request);
        MPI_Request signal;
        MPI_Isend(nullptr, 0, MPI_CHAR, peer, ready_tag(), communicator, &signal);
        MPI_Request_free(&signal);
        begin = local_seconds();
    }

    /// Whether all transfers have ended.
    bool progress(MPI_Comm communicator) {
        if (transfers_left == 0) return true;
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) return false;
        if (sends && !ready) {
            ready = true;
        } else {
            --transfers_left;
            const double now = local_seconds();
            seconds.push_back(now - begin);
            begin = now;
        }
        if (transfers_left == 0) return true;
        if (sends) {
            MPI_Isend(memory, bytes, MPI_CHAR, peer, tag, communicator, &request);
        } else {
            MPI_Irecv(memory, bytes, MPI_CHAR, peer, tag, communicator, &request);
        }
        return false;
    }

    void give_up() {
        if (sends && ready) {
            give_up_send(request);
        } else {
            give_up_receive(request);
        }
    }
};

std::vector<LongMessage> own_messages(const acceptance::CablePlan& plan, const acceptance::LinkCapacities& capacities,
                                      const acceptance::Round& round, const Speakers& speakers, int rank, int tag) {
    std::vector<LongMessage> own;
    std::map<std::pair<int, int>, int> alike;  // so many messages of the round had the same hosts
    int index = -1;
    for (const int test : round) {
        for (const acceptance::Message& message : plan.tests[static_cast<std::size_t>(test)].messages) {
            ++index;
            const int from = speaker(speakers, message.from), to = speaker(speakers, message.to);
            if ((from != rank && to != rank) || from < 0 || to < 0) continue;
            const int number = alike[{from, to}]++;
            LongMessage& added = own.emplace_back();
            added.index = index;
            added.sends = from == rank;
            added.peer = added.sends ? to : from;
            added.tag = tag + number % most_alike;
            added.bytes = static_cast<int>(acceptance::bytes_of_transfer(message, capacities));
        }
    }
    return own;
}

/// All messages that are sent from the same place; each that is received has its own.
void place_in_memory(std::vector<LongMessage>& messages) {
    std::size_t sent = 0, received = 0;
    for (const LongMessage& message : messages) {
        const auto bytes = static_cast<std::size_t>(message.bytes);
        if (message.sends) {
            sent = std::max(sent, bytes);
        } else {
            received += bytes;
        }
    }
    char* const memory = message_memory(sent + received);
    char* next = memory + sent;
    for (LongMessage& message : messages) {
        message.memory = message.sends ? memory : next;
        if (!message.sends) next += message.bytes;
    }
}

/// Who is late to see the end of a transfer takes the next one for shorter than it was. So from the beginning to the
/// end of each is what counts: that is never too short.
double summary(const std::vector<double>& seconds, Transfers transfers) {
    if (static_cast<int>(seconds.size()) < acceptance::transfers) return 0;
    double sum = 0, least = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        sum += seconds[i];
        const double mean = sum / static_cast<double>(i + 1);
        least = i == 0 ? mean : std::min(least, mean);
    }
    return transfers == Transfers::fastest ? least : sum / static_cast<double>(seconds.size());
}

}  // namespace

RoundResults run_latency_round(MPI_Comm communicator, const acceptance::CablePlan& plan, const acceptance::Round& round,
                               const Speakers& speakers, int tag, double deadline) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    RoundResults results;
    char* const data = message_memory(short_bytes);
    for (const int index : round) {
        const acceptance::Message& there = plan.pairs[static_cast<std::size_t>(index)].there;
        const int from = speaker(speakers, there.from), to = speaker(speakers, there.to);
        if (from < 0 || to < 0 || (from != rank && to != rank)) continue;
        std::vector<double> halves;
        const int peer = from == rank ? to : from;
        bool answered = true;
        for (int i = 0; i < acceptance::round_trips && answered; ++i) {
            const double begin = local_seconds();
            answered = from == rank ? send_short(data, peer, tag, communicator, deadline) &&
                                          receive_short(data, peer, tag, communicator, deadline)
                                    : receive_short(data, peer, tag, communicator, deadline) &&
                                          send_short(data, peer, tag, communicator, deadline);
            halves.push_back((local_seconds() - begin) / 2);
        }
        if (from == rank) results.emplace_back(index, answered ? *std::min_element(halves.begin(), halves.end()) : 0);
    }
    return results;
}

RoundResults run_bandwidth_round(MPI_Comm communicator, const acceptance::CablePlan& plan,
                                 const acceptance::LinkCapacities& capacities, const acceptance::Round& round,
                                 const Speakers& speakers, Transfers transfers, int tag, double deadline) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    std::vector<LongMessage> own = own_messages(plan, capacities, round, speakers, rank, tag);
    place_in_memory(own);
    for (LongMessage& message : own) message.start(communicator);
    for (bool all_done = false; !all_done && local_seconds() < deadline;) {
        all_done = true;
        for (LongMessage& message : own) all_done = message.progress(communicator) && all_done;
        if (!all_done) sched_yield();
    }
    RoundResults results;
    for (LongMessage& message : own) {
        if (message.transfers_left > 0) message.give_up();
        if (!message.sends) results.emplace_back(message.index, summary(message.seconds, transfers));
    }
    return results;
}

}  // namespace coll_topo::bench
