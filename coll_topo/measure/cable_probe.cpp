// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/cable_probe.hpp"

#include "coll_topo/measure/deadline_requests.hpp"
#include "coll_topo/measure/round_messages.hpp"
#include "coll_topo/mpi_run/clock.hpp"

#include <time.h>
#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace coll_topo::bench {

namespace {

constexpr int order_tag = 1, report_tag = 2, first_round_tag = 64;
constexpr int rounds_with_own_tags = 128;  // all tags are below 32767, which every MPI has
constexpr long nap_nanoseconds = 200'000;

enum RoundKind { latency, alone, together, end };

/// From rank 0: two integers, and the hosts that are silent.
using Order = std::vector<int>;

void nap() {
    const timespec time{0, nap_nanoseconds};
    nanosleep(&time, nullptr);
}

/// What all ranks do.
class Rounds {
public:
    Rounds(MPI_Comm communicator, const acceptance::CablePlan& plan, const acceptance::LinkCapacities& capacities,
           const std::vector<int>& host_of_rank, int hosts, double seconds_of_round)
        : communicator_(communicator),
          plan_(plan),
          capacities_(capacities),
          seconds_of_round_(seconds_of_round),
          speakers_(static_cast<std::size_t>(hosts), -1) {
        for (std::size_t rank = host_of_rank.size(); rank-- > 0;) {
            speakers_[static_cast<std::size_t>(host_of_rank[rank])] = static_cast<int>(rank);
        }
    }

    const Speakers& speakers() const { return speakers_; }
    void silence(int host) { speakers_[static_cast<std::size_t>(host)] = -1; }
    double seconds_of_round() const { return seconds_of_round_; }

    const std::vector<acceptance::Round>& of_kind(int kind) const {
        return kind == latency ? plan_.latency : kind == alone ? plan_.alone : plan_.together;
    }

    RoundResults run(int kind, int number) {
        const int tag = first_round_tag + (count_++ % rounds_with_own_tags) * tags_of_round;
        const double deadline = local_seconds() + seconds_of_round_;
        const acceptance::Round& round = of_kind(kind)[static_cast<std::size_t>(number)];
        if (kind == latency) return run_latency_round(communicator_, plan_, round, speakers_, tag, deadline);
        const Transfers transfers = kind == alone ? Transfers::fastest : Transfers::mean;
        return run_bandwidth_round(communicator_, plan_, capacities_, round, speakers_, transfers, tag, deadline);
    }

private:
    MPI_Comm communicator_;
    const acceptance::CablePlan& plan_;
    const acceptance::LinkCapacities& capacities_;
    double seconds_of_round_;
    Speakers speakers_;  // by host
    int count_ = 0;
};

/// A rank that speaks for its host but for rank 0, or does not and only waits for the end.
void follow(MPI_Comm communicator, Rounds& rounds) {
    for (;;) {
        int waits = 0;
        MPI_Status status;
        while (MPI_Iprobe(0, order_tag, communicator, &waits, &status) == MPI_SUCCESS && waits == 0) nap();
        int size = 0;
        MPI_Get_count(&status, MPI_INT, &size);
        Order order(static_cast<std::size_t>(size));
        MPI_Recv(order.data(), size, MPI_INT, 0, order_tag, communicator, MPI_STATUS_IGNORE);
        if (order[0] == end) return;
        for (std::size_t i = 2; i < order.size(); ++i) rounds.silence(order[i]);
        std::vector<double> report;
        for (const auto& [index, seconds] : rounds.run(order[0], order[1])) {
            report.insert(report.end(), {static_cast<double>(index), seconds});
        }
        MPI_Send(report.data(), static_cast<int>(report.size()), MPI_DOUBLE, 0, report_tag, communicator);
    }
}

class Leader {
public:
    Leader(MPI_Comm communicator, const acceptance::CablePlan& plan, const acceptance::LinkCapacities& capacities,
           Rounds& rounds)
        : communicator_(communicator), plan_(plan), capacities_(capacities), rounds_(rounds) {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        measured_.latency.assign(plan.pairs.size(), 0);
        measured_.alone.assign(plan.tests.size(), unknown);
        measured_.together.assign(plan.tests.size(), unknown);
    }

    acceptance::CableMeasurement lead(const ProbeSettings& settings) {
        int done = 0;
        for (const auto& [kind, name] : {std::pair(latency, "latency"), std::pair(alone, "bandwidth alone"),
                                         std::pair(together, "bandwidth together")}) {
            const int count = static_cast<int>(rounds_.of_kind(kind).size());
            for (int number = 0; number < count; ++number) {
                if (done++ < settings.first_round) continue;
                settings.begin(std::string(name) + ", round " + std::to_string(number + 1) + " of " +
                               std::to_string(count));
                run(kind, number);
                settings.ended(so_far(), done);
            }
        }
        return so_far();
    }

    /// Also to ranks that do not answer: they may do so later.
    void end_all(int ranks) const {
        const Order order{end, 0};
        for (int rank = 1; rank < ranks; ++rank) {
            MPI_Request request;
            MPI_Isend(order.data(), static_cast<int>(order.size()), MPI_INT, rank, order_tag, communicator_, &request);
            if (!ends_before(request, local_seconds() + rounds_.seconds_of_round())) give_up_send(request);
        }
    }

private:
    acceptance::CableMeasurement so_far() const {
        acceptance::CableMeasurement known = measured_;
        for (auto* results : {&known.alone, &known.together}) {
            for (double& rate : *results) rate = rate == std::numeric_limits<double>::infinity() ? 0 : rate;
        }
        return known;
    }

    void run(int kind, int number) {
        order_.assign({kind, number});
        order_.insert(order_.end(), measured_.silent.begin(), measured_.silent.end());
        std::set<int> waiting;  // ranks
        for (const int rank : rounds_.speakers()) {
            if (rank <= 0) continue;
            MPI_Request request;
            MPI_Isend(order_.data(), static_cast<int>(order_.size()), MPI_INT, rank, order_tag, communicator_,
                      &request);
            if (!ends_before(request, local_seconds() + rounds_.seconds_of_round())) give_up_send(request);
            waiting.insert(rank);
        }
        seconds_.clear();
        for (const auto& [index, seconds] : rounds_.run(kind, number)) seconds_[index] = seconds;
        collect(waiting);
        for (const int rank : waiting) silence(rank);
        note(kind, rounds_.of_kind(kind)[static_cast<std::size_t>(number)]);
    }

    /// Leaves those in the set that do not answer in time.
    void collect(std::set<int>& waiting) {
        const double deadline = local_seconds() + rounds_.seconds_of_round() + 1;
        while (!waiting.empty() && local_seconds() < deadline) {
            int arrived = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, report_tag, communicator_, &arrived, &status);
            if (arrived == 0) {
                nap();
                continue;
            }
            int size = 0;
            MPI_Get_count(&status, MPI_DOUBLE, &size);
            std::vector<double> report(static_cast<std::size_t>(size));
            MPI_Recv(report.data(), size, MPI_DOUBLE, status.MPI_SOURCE, report_tag, communicator_, MPI_STATUS_IGNORE);
            if (waiting.erase(status.MPI_SOURCE) == 0) continue;  // too late: of an earlier round
            for (std::size_t i = 0; i + 1 < report.size(); i += 2)
                seconds_[static_cast<int>(report[i])] = report[i + 1];
        }
    }

    void silence(int rank) {
        const auto host = std::find(rounds_.speakers().begin(), rounds_.speakers().end(), rank);
        const auto index = static_cast<int>(host - rounds_.speakers().begin());
        rounds_.silence(index);
        measured_.silent.push_back(index);
    }

    void note(int kind, const acceptance::Round& round) {
        if (kind == latency) {
            for (const auto& [pair, seconds] : seconds_) measured_.latency[static_cast<std::size_t>(pair)] = seconds;
            return;
        }
        int next = 0;
        for (const int test : round) {
            double bytes = 0, slowest = 0;
            bool all = true;
            for (const acceptance::Message& message : plan_.tests[static_cast<std::size_t>(test)].messages) {
                const auto seconds = seconds_.find(next++);
                all = all && seconds != seconds_.end() && seconds->second > 0;
                bytes += static_cast<double>(acceptance::bytes_of_transfer(message, capacities_));
                if (all) slowest = std::max(slowest, seconds->second);
            }
            double& known = (kind == alone ? measured_.alone : measured_.together)[static_cast<std::size_t>(test)];
            known = std::min(known, all ? bytes / slowest : 0);
        }
    }

    MPI_Comm communicator_;
    const acceptance::CablePlan& plan_;
    const acceptance::LinkCapacities& capacities_;
    Rounds& rounds_;
    Order order_;
    std::map<int, double> seconds_;  // of the round, by message or pair
    acceptance::CableMeasurement measured_;
};

}  // namespace

acceptance::CableMeasurement probe_cables(MPI_Comm communicator, const acceptance::CablePlan& plan,
                                          const acceptance::LinkCapacities& capacities,
                                          const std::vector<int>& host_of_rank, int hosts,
                                          const ProbeSettings& settings) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    Rounds rounds(communicator, plan, capacities, host_of_rank, hosts, settings.seconds_of_round);
    if (rank != 0) {
        follow(communicator, rounds);
        return {};
    }
    Leader leader(communicator, plan, capacities, rounds);
    acceptance::CableMeasurement measured = leader.lead(settings);
    leader.end_all(ranks);
    return measured;
}

}  // namespace coll_topo::bench
