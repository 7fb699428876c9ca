// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

namespace coll_topo {

/// What the work of ranks costs beside the network: seconds, bytes and bytes/s. Machine lines of the file set it; the
/// defaults are typical of a current cluster node.
struct MachineCosts {
    double message_time = 1.0e-6;  ///< of a rank, to send and receive one message
    /// Likewise where both ranks are on one host; 0: as between hosts.
    double local_message_time = 0;
    /// For each message of any rank: of processors that all hosts share. 0 unless the hosts are not real computers.
    double shared_message_time = 0;
    double local_bandwidth = 6.0e9;     ///< receiving from a rank of the same host; the receiver works on it
    double reduce_bandwidth = 8.0e9;    ///< combining operands, per rank
    double copy_bandwidth = 10.0e9;     ///< moving data within a rank
    double memory_bandwidth = 200.0e9;  ///< all of these three, of all ranks of a host together
    /// Bytes that a link passes at once after a rest, as limiters of virtual links do, and no cable does.
    double link_burst = 0;
    /// Bytes of the longest message to another host that leaves before its receiver is ready for it.
    double eager_limit = 0;

    double local_message() const { return local_message_time > 0 ? local_message_time : message_time; }

    /// Of one between two ranks of a host, what takes its rank less takes less of the shared processors too.
    double shared_local_message() const {
        return message_time > 0 ? shared_message_time * std::min(1.0, local_message() / message_time)
                                : shared_message_time;
    }

    /// Of a message to a rank of the same host, or of another one.
    double message(bool within_host) const { return within_host ? local_message() : message_time; }
    double shared_message(bool within_host) const { return within_host ? shared_local_message() : shared_message_time; }

    /// Of shared processors, by a rank that has waited for messages, beside what these take: in vain it has looked for
    /// them before.
    double waking_time() const { return shared_message_time; }

    /// Until a rank that has waited goes on, where so many take turns on processors that all hosts share: half a round,
    /// in which each of them looks for messages from all others. This and waking_time() fit calls of 8 B to 64 KiB of
    /// 16 to 64 ranks on two processors, by all algorithms (doc/guide/virtual-cluster.md).
    double waiting_for_turn(int ranks) const { return shared_message_time * ranks * ranks / 92; }
    /// Of that, what the latency of host links, which has it for one rank on each of so many hosts, does not.
    double waiting_for_turn_beside(int hosts, int ranks) const {
        return waiting_for_turn(ranks) - waiting_for_turn(hosts);
    }

    /// What each of so many ranks of a host has of it while all of them are at work.
    MachineCosts shared_by(int ranks) const {
        MachineCosts costs = *this;
        const double each = memory_bandwidth / ranks;
        costs.local_bandwidth = std::min(local_bandwidth, each);
        costs.reduce_bandwidth = std::min(reduce_bandwidth, each);
        costs.copy_bandwidth = std::min(copy_bandwidth, each);
        return costs;
    }

    bool operator==(const MachineCosts&) const = default;
};

/// All of them, for what must treat each one.
inline constexpr std::array machine_cost_fields = {
    &MachineCosts::message_time,     &MachineCosts::local_message_time, &MachineCosts::shared_message_time,
    &MachineCosts::local_bandwidth,  &MachineCosts::reduce_bandwidth,   &MachineCosts::copy_bandwidth,
    &MachineCosts::memory_bandwidth, &MachineCosts::link_burst,         &MachineCosts::eager_limit,
};
static_assert(sizeof(MachineCosts) == machine_cost_fields.size() * sizeof(double), "a field is not listed");

}  // namespace coll_topo
