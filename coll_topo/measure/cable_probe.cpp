// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/cable_probe.hpp"

#include "coll_topo/acceptance/order_ways.hpp"
#include "coll_topo/measure/cable_rounds.hpp"
#include "coll_topo/mpi_run/clock.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace coll_topo::bench {

namespace {

constexpr int most_waves = 6;   // of ways that are tried to reach hosts
constexpr int most_trials = 3;  // of a round, if hosts are reached another way after it
constexpr double unknown = std::numeric_limits<double>::infinity();

class Leader {
public:
    Leader(MPI_Comm communicator, const acceptance::CablePlan& plan, LinkGraph& graph, CableRounds& rounds, int host)
        : communicator_(communicator),
          plan_(plan),
          capacities_(graph),
          rounds_(rounds),
          host_(host),
          ways_(graph, host) {
        measured_.latency.assign(plan.pairs.size(), 0);
        measured_.alone.assign(plan.tests.size(), unknown);
        measured_.together.assign(plan.tests.size(), unknown);
    }

    acceptance::CableMeasurement lead(const ProbeSettings& settings) {
        reach_all();
        int done = 0;
        for (const auto& [kind, name] :
             {std::pair(OrderKind::latency, "latency"), std::pair(OrderKind::alone, "bandwidth alone"),
              std::pair(OrderKind::together, "bandwidth together")}) {
            const int count = static_cast<int>(rounds_.of_kind(kind).size());
            for (int number = 0; number < count; ++number) {
                if (done++ < settings.first_round) continue;
                settings.begin(std::string(name) + ", round " + std::to_string(number + 1) + " of " +
                               std::to_string(count));
                run(kind, number);
                settings.ended(so_far(), done);
            }
        }
        wait_for_signs();
        return so_far();
    }

    /// Also to ranks that do not answer, as they may do so later, and by those that speak for a host to its others.
    void end_all(const std::vector<int>& host_of_rank) {
        Order order{++number_, OrderKind::end};
        std::vector<int> direct;
        for (int rank = 0; rank < static_cast<int>(host_of_rank.size()); ++rank) {
            const int host = host_of_rank[static_cast<std::size_t>(rank)];
            const int before = rank == rank_of(host) ? ways_.before(host) : host;
            if (rank == rank_of(host_)) continue;
            if (before < 0 || before == host_) {
                direct.push_back(rank);
            } else {
                order.passed_on.emplace_back(rank, rank_of(before));
            }
        }
        send_order(communicator_, order, direct, local_seconds() + rounds_.seconds_of_round());
    }

private:
    int rank_of(int host) const { return speakers_[static_cast<std::size_t>(host)]; }

    acceptance::CableMeasurement so_far() const {
        acceptance::CableMeasurement known = measured_;
        for (auto* results : {&known.alone, &known.together}) {
            for (double& rate : *results) rate = rate == unknown ? 0 : rate;
        }
        return known;
    }

    /// To hosts, and to those by way of which they are reached. `by` has ways that are only tried.
    void give_order(OrderKind kind, int round, const std::set<int>& hosts, const std::map<int, int>& by) {
        Order order{++number_, kind, round, measured_.silent};
        std::set<int> all;
        for (int host : hosts) {
            for (; host >= 0 && host != host_ && all.insert(host).second;) {
                const auto tried = by.find(host);
                const int before = tried != by.end() ? tried->second : ways_.before(host);
                if (before >= 0 && before != host_) order.passed_on.emplace_back(rank_of(host), rank_of(before));
                host = before;
            }
        }
        std::set<int> others;
        for (const auto& [rank, giver] : order.passed_on) others.insert(rank);
        std::vector<int> direct;
        for (const int host : all) {
            if (!others.contains(rank_of(host))) direct.push_back(rank_of(host));
        }
        send_order(communicator_, order, direct, local_seconds() + rounds_.seconds_of_round());
        order_ = std::move(order);
    }

    /// Takes hosts that answer the last order from the set, until for so many seconds none does.
    void collect(std::set<int>& hosts, double seconds) {
        std::map<int, int> host_of_rank;
        for (const int host : hosts) host_of_rank[rank_of(host)] = host;
        for (double last = local_seconds(); !hosts.empty() && local_seconds() < last + seconds;) {
            Report report;
            if (!receive_report(communicator_, report)) {
                nap();
                continue;
            }
            const auto host = host_of_rank.find(report.rank);
            if (report.number != number_ || host == host_of_rank.end()) continue;  // too late: of an earlier order
            last = local_seconds();
            hosts.erase(host->second);
            for (const auto& [index, time] : report.results) seconds_[index] = time;
        }
    }

    void reach_all() {
        std::set<int> hosts;
        for (int host = 0; host < static_cast<int>(rounds_.speakers().size()); ++host) {
            if (host != host_ && rounds_.speakers()[static_cast<std::size_t>(host)] >= 0) hosts.insert(host);
        }
        reach(hosts);
        for (const int host : hosts) silence(host);
    }

    /// Takes hosts that answer, in whatever way, from the set.
    void reach(std::set<int>& hosts) {
        double seconds = rounds_.seconds_of_round();
        for (int wave = 0; wave < most_waves && !hosts.empty(); ++wave) {
            std::map<int, int> by;
            std::set<int> missing;
            for (const int host : hosts) {
                const int way = ways_.next(host);
                if (way < 0) continue;
                by[host] = way;
                missing.insert(host);
            }
            if (missing.empty()) return;
            give_order(OrderKind::call, 0, missing, by);
            collect(missing, seconds);
            for (const auto& [host, way] : by) {
                if (missing.contains(host)) {
                    ways_.missed(host, way);
                    continue;
                }
                ways_.answered(host, way);
                hosts.erase(host);
            }
            seconds = rounds_.seconds_of_round() / 2;
        }
    }

    void run(OrderKind kind, int round) {
        std::set<int> missing;
        for (int trial = 0; trial < most_trials; ++trial) {
            missing.clear();
            for (int host = 0; host < static_cast<int>(rounds_.speakers().size()); ++host) {
                if (host != host_ && rounds_.speakers()[static_cast<std::size_t>(host)] >= 0) missing.insert(host);
            }
            give_order(kind, round, missing, {});
            seconds_.clear();
            for (const auto& [index, seconds] : rounds_.run(order_)) seconds_[index] = seconds;
            collect(missing, rounds_.seconds_of_round() + 1);
            const std::size_t before = missing.size();
            if (before == 0) break;
            ways_.lost(missing);
            const auto results = seconds_;
            reach(missing);
            seconds_ = results;
            if (missing.size() == before) break;  // nothing would be otherwise
        }
        for (const int host : missing) silence(host);
        note(kind, rounds_.of_kind(kind)[static_cast<std::size_t>(round)]);
    }

    void silence(int host) {
        rounds_.silence(host);
        measured_.silent.push_back(host);
        silenced_ = local_seconds();
    }

    /// Those that only cannot be reached say so before the job is ended.
    void wait_for_signs() const {
        while (!measured_.silent.empty() && local_seconds() < silenced_ + 2 * rounds_.seconds_of_round()) nap();
    }

    void note(OrderKind kind, const acceptance::Round& round) {
        if (kind == OrderKind::latency) {
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
            auto& results = kind == OrderKind::alone ? measured_.alone : measured_.together;
            double& known = results[static_cast<std::size_t>(test)];
            known = std::min(known, all ? bytes / slowest : 0);
        }
    }

    MPI_Comm communicator_;
    const acceptance::CablePlan& plan_;
    acceptance::LinkCapacities capacities_;
    CableRounds& rounds_;
    int host_;
    acceptance::OrderWays ways_;
    const Speakers speakers_ = rounds_.speakers();  // also those that fell silent
    Order order_;
    int number_ = 0;                 // of the last order
    std::map<int, double> seconds_;  // of the round, by message or pair
    double silenced_ = 0;            // when the last host was
    acceptance::CableMeasurement measured_;
};

}  // namespace

acceptance::CableMeasurement probe_cables(MPI_Comm communicator, const acceptance::CablePlan& plan, LinkGraph& graph,
                                          const std::vector<int>& host_of_rank, const ProbeSettings& settings) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    const acceptance::LinkCapacities capacities(graph);
    CableRounds rounds(communicator, plan, capacities, host_of_rank, graph.hosts(), settings.seconds_of_round);
    if (rank != settings.leader) {
        follow_orders(communicator, rounds, settings.waits);
        return {};
    }
    Leader leader(communicator, plan, graph, rounds, host_of_rank[static_cast<std::size_t>(rank)]);
    acceptance::CableMeasurement measured = leader.lead(settings);
    leader.end_all(host_of_rank);
    return measured;
}

}  // namespace coll_topo::bench
