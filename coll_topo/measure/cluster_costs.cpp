// SPDX-License-Identifier: BSD-3-Clause
// A part of every time does not depend on the amount of work: ranks, for instance, do not begin at the same moment. So
// two amounts are timed, and the difference counts.
#include "coll_topo/measure/cluster_costs.hpp"

#include "coll_topo/measure/cluster_timing.hpp"
#include "coll_topo/measure/latency_model.hpp"
#include "coll_topo/mpi_run/clock.hpp"

#include <algorithm>
#include <map>

namespace coll_topo::bench {

namespace {

constexpr int fewest_trials = 3;
constexpr std::size_t shortest = std::size_t{64} << 10;  // bytes of a long message
constexpr std::size_t longest = std::size_t{8} << 20;
constexpr double long_enough = 0.1;  // seconds: disturbances of a trial are short beside it
constexpr int fewest_messages = 32;  // short ones in flight to each neighbour
constexpr int most_messages = 2048;
constexpr double enough_seconds = 0.01;  // for short messages
constexpr std::size_t short_bytes = 8;

/// The most messages that one rank sends.
int most_sent(const std::vector<RankPair>& messages) {
    std::map<int, int> sent;  // by rank
    int most = 0;
    for (const auto& [rank, peer] : messages) most = std::max(most, ++sent[rank]);
    return most;
}

class Measurement {
public:
    Measurement(MPI_Comm communicator, const MeasuringPlan& plan, const MeasuringLimits& limits)
        : communicator_(communicator),
          plan_(plan),
          trials_(limits.trials),
          // Message time, latencies, bandwidths, local message time and bandwidth, adding, copying, memory.
          share_(limits.seconds / static_cast<double>(plan.messages.size() + 7)),
          timing_(communicator, plan) {}

    tool::MeasuredValue message_time();
    void latencies(bool torus, tool::MeasuredCosts& costs);
    tool::MeasuredValue bandwidth(const std::vector<RankPair>& messages);
    tool::MeasuredValue local_message_time();
    tool::MeasuredValue local_bandwidth();
    tool::MeasuredValue rate_of(double (ClusterTiming::*work)());
    tool::MeasuredValue memory_bandwidth(double copy_bandwidth);

private:
    /// Makes trials of one thing until there are enough or its share of the time is over. Rank 0 decides.
    template <typename Trial>
    void repeat(const Trial& trial) {
        const double begin = local_seconds();
        int again = 1;
        for (int done = 1; again != 0; ++done) {
            trial();
            again = done < fewest_trials || (done < trials_ && local_seconds() - begin < share_);
            timing_.meet();
            MPI_Bcast(&again, 1, MPI_INT, 0, communicator_);
        }
    }

    /// Bytes/s of what is added from half of a long message to all of it.
    template <typename Seconds>
    tool::MeasuredValue rate(const Seconds& seconds_for) {
        std::size_t bytes = shortest;
        while (bytes < longest && seconds_for(bytes) < long_enough) bytes *= 2;
        std::vector<double> rates;
        repeat([&] {
            const double seconds = seconds_for(bytes) - seconds_for(bytes / 2);
            rates.push_back(seconds > 0 ? static_cast<double>(bytes) / 2 / seconds : 0);
        });
        return tool::summarise(std::move(rates));
    }

    double within_hosts(std::size_t bytes, int round_trips);
    int enough_messages(const std::vector<RankPair>& messages);
    double seconds_of_message(const std::vector<RankPair>& messages, int count);

    MPI_Comm communicator_;
    const MeasuringPlan& plan_;
    int trials_;
    double share_;  // seconds for each thing
    ClusterTiming timing_;
};

/// How many short messages in flight take long enough. Makes the connections, too.
int Measurement::enough_messages(const std::vector<RankPair>& messages) {
    timing_.together(messages, short_bytes, fewest_messages);
    int count = fewest_messages;
    while (count < most_messages && timing_.together(messages, short_bytes, count) < enough_seconds) count *= 2;
    return count;
}

/// For one of `count` short messages, on the rank that sends and receives the most.
double Measurement::seconds_of_message(const std::vector<RankPair>& messages, int count) {
    const double all = timing_.together(messages, short_bytes, count);
    const double quarter = timing_.together(messages, short_bytes, count / 4);
    return (all - quarter) / (0.75 * count * most_sent(messages));
}

tool::MeasuredValue Measurement::message_time() {
    const std::vector<RankPair> messages = plan_.all_messages();
    if (messages.empty()) return {};
    const int count = enough_messages(messages);
    std::vector<double> seconds;
    repeat([&] { seconds.push_back(seconds_of_message(messages, count)); });
    return tool::summarise(std::move(seconds));
}

void Measurement::latencies(bool torus, tool::MeasuredCosts& costs) {
    if (plan_.probes.empty()) return;
    for (const LatencyProbe& probe : plan_.probes) timing_.one_way(probe.ranks);  // makes the connections
    const auto [first, second] = plan_.probes.front().ranks;
    const std::vector<RankPair> alone = {{first, second}, {second, first}};
    const int count = enough_messages(alone);
    std::vector<double> start;
    std::vector<std::vector<double>> hop(plan_.probes.front().hops.size());
    repeat([&] {
        std::vector<double> seconds;
        for (const LatencyProbe& probe : plan_.probes) seconds.push_back(timing_.one_way(probe.ranks));
        const LatencyModel model = fit_latencies(plan_.probes, seconds, seconds_of_message(alone, count), torus);
        if (model.start) start.push_back(*model.start);
        for (std::size_t kind = 0; kind < hop.size(); ++kind) {
            if (model.hop[kind]) hop[kind].push_back(*model.hop[kind]);
        }
    });
    costs.start_latency = tool::summarise(std::move(start));
    for (std::vector<double>& one : hop) costs.hop_latency.push_back(tool::summarise(std::move(one)));
}

tool::MeasuredValue Measurement::bandwidth(const std::vector<RankPair>& messages) {
    if (messages.empty()) return {};
    return rate([&](std::size_t bytes) { return timing_.together(messages, bytes, 1); });
}

/// Seconds of a message, the mean of some hosts.
double Measurement::within_hosts(std::size_t bytes, int round_trips) {
    double seconds = 0;
    for (const RankPair& pair : plan_.local) seconds += timing_.within_host(pair, bytes, round_trips);
    return seconds / static_cast<double>(plan_.local.size());
}

tool::MeasuredValue Measurement::local_message_time() {
    if (plan_.local.empty()) return {};
    constexpr int round_trips = 1000;
    std::vector<double> seconds;
    repeat([&] { seconds.push_back(within_hosts(short_bytes, round_trips)); });
    return tool::summarise(std::move(seconds));
}

tool::MeasuredValue Measurement::local_bandwidth() {
    if (plan_.local.empty()) return {};
    within_hosts(longest, 1);  // touches the memory
    return rate([&](std::size_t bytes) { return within_hosts(bytes, 1); });
}

tool::MeasuredValue Measurement::rate_of(double (ClusterTiming::*work)()) {
    (timing_.*work)();  // touches the memory
    std::vector<double> rates;
    repeat([&] { rates.push_back(static_cast<double>(ClusterTiming::working_set) / (timing_.*work)()); });
    return tool::summarise(std::move(rates));
}

/// Of a host, the mean of all. `copy_bandwidth` is that of a rank on its own, bytes/s.
tool::MeasuredValue Measurement::memory_bandwidth(double copy_bandwidth) {
    constexpr double limits_below = 0.9;  // of what the ranks copy one by one; less could be chance
    int ranks = 0;
    MPI_Comm_size(communicator_, &ranks);
    const auto hosts = static_cast<double>(plan_.speakers.size());
    if (ranks <= static_cast<int>(plan_.speakers.size())) return {};
    timing_.copying_of_all();  // touches the memory
    std::vector<double> rates;
    repeat([&] { rates.push_back(timing_.copying_of_all() / hosts); });
    const tool::MeasuredValue measured = tool::summarise(std::move(rates));
    return measured.median < limits_below * copy_bandwidth * ranks / hosts ? measured : tool::MeasuredValue{};
}

}  // namespace

void measure_cluster(MPI_Comm communicator, const MeasuringPlan& plan, bool torus, const MeasuringLimits& limits,
                     const std::function<void(const std::string&)>& begin, tool::MeasuredCosts& costs) {
    Measurement measurement(communicator, plan, limits);
    begin("time of a message");
    costs.message_time = measurement.message_time();
    begin("latencies");
    measurement.latencies(torus, costs);
    for (std::size_t i = 0; i < plan.messages.size(); ++i) {
        begin(torus ? "bandwidth of dimension " + std::to_string(i + 1) : "bandwidth of hosts");
        costs.bandwidth.push_back(measurement.bandwidth(plan.messages[i]));
    }
    begin("time of a message within a host");
    costs.local_message_time = measurement.local_message_time();
    begin("bandwidth within a host");
    costs.local_bandwidth = measurement.local_bandwidth();
    begin("combining and copying");
    costs.reduce_bandwidth = measurement.rate_of(&ClusterTiming::adding);
    costs.copy_bandwidth = measurement.rate_of(&ClusterTiming::copying);
    begin("memory of a host");
    costs.memory_bandwidth = measurement.memory_bandwidth(costs.copy_bandwidth.median);
}

}  // namespace coll_topo::bench
