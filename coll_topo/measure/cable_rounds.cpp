// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/cable_rounds.hpp"

#include "coll_topo/mpi_run/clock.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

constexpr int orders_with_own_tags = 128;  // all tags are below 32767, which every MPI has

}  // namespace

CableRounds::CableRounds(MPI_Comm communicator, const acceptance::CablePlan& plan,
                         const acceptance::LinkCapacities& capacities, const std::vector<int>& host_of_rank, int hosts,
                         double seconds_of_round)
    : communicator_(communicator),
      plan_(plan),
      capacities_(capacities),
      seconds_of_round_(seconds_of_round),
      speakers_(static_cast<std::size_t>(hosts), -1) {
    for (std::size_t rank = host_of_rank.size(); rank-- > 0;) {
        speakers_[static_cast<std::size_t>(host_of_rank[rank])] = static_cast<int>(rank);
    }
}

const std::vector<acceptance::Round>& CableRounds::of_kind(OrderKind kind) const {
    return kind == OrderKind::latency ? plan_.latency : kind == OrderKind::alone ? plan_.alone : plan_.together;
}

RoundResults CableRounds::run(const Order& order) const {
    if (order.kind == OrderKind::call || order.kind == OrderKind::end) return {};
    const int tag = first_round_tag + order.number % orders_with_own_tags * tags_of_round;
    const double deadline = local_seconds() + seconds_of_round_;
    const acceptance::Round& round = of_kind(order.kind)[static_cast<std::size_t>(order.round)];
    if (order.kind == OrderKind::latency) {
        return run_latency_round(communicator_, plan_, round, speakers_, tag, deadline);
    }
    const Transfers transfers = order.kind == OrderKind::alone ? Transfers::fastest : Transfers::mean;
    return run_bandwidth_round(communicator_, plan_, capacities_, round, speakers_, transfers, tag, deadline);
}

void follow_orders(MPI_Comm communicator, CableRounds& rounds, const std::function<void()>& waits) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    const double patience = rounds.seconds_of_round() / 2;
    int last = 0, giver = -1;
    double waited = 0;
    for (double looked = local_seconds();;) {
        Order order, newer;
        int from = -1, from_newer = -1;
        if (receive_order(communicator, order, from)) {
            // An order that came late is no use any more.
            while (receive_order(communicator, newer, from_newer)) {
                if (newer.number > order.number) std::swap(order, newer), from = from_newer;
            }
            if (order.number <= last) continue;
            last = order.number;
            giver = from;
            std::vector<int> ranks;
            for (const auto& [to, by] : order.passed_on) {
                if (by == rank) ranks.push_back(to);
            }
            send_order(communicator, order, ranks, local_seconds() + patience);
            if (order.kind == OrderKind::end) return;
            for (const int host : order.silent) rounds.silence(host);
            const RoundResults results = rounds.run(order);
            send_report(communicator, {order.number, rank, results}, giver, local_seconds() + patience);
            waited = 0;
        } else if (Report report; receive_report(communicator, report)) {
            if (giver >= 0) send_report(communicator, report, giver, local_seconds() + patience);
        } else {
            nap();
            // A process that was stopped, and goes on only to be ended, has not waited meanwhile.
            constexpr double longest_nap = 0.1;  // seconds
            waited += std::min(local_seconds() - looked, longest_nap);
            if (waited >= patience) {
                waits();
                waited = 0;
            }
        }
        looked = local_seconds();
    }
}

}  // namespace coll_topo::bench
