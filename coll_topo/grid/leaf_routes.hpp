// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/partition.hpp"
#include "coll_topo/fabric/fabric.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// The cables between switches that messages take from each leaf to each host. A cable counts once for each direction,
/// and only if some route takes it.
class LeafRoutes {
public:
    LeafRoutes() = default;

    /// `hosts` are those of the fabric, by their leaves in `hosts_by_leaf`. Nothing is known of more than
    /// `most_routes` routes.
    LeafRoutes(const Fabric& fabric, std::span<const std::int32_t> hosts, const Partition& hosts_by_leaf);

    bool known() const { return !begin_.empty(); }
    int cables() const { return static_cast<int>(bandwidths_.size()); }
    /// Bytes/s; 0: the file does not say.
    double bandwidth(int cable) const { return bandwidths_[cable]; }

    /// None if the host is under that leaf.
    std::span<const std::int32_t> route(int leaf, int host) const {
        const auto number = static_cast<std::size_t>(leaf) * hosts_ + host;
        return {cables_.data() + begin_[number], cables_.data() + begin_[number + 1]};
    }

    /// Whether some lead through switches of other hosts, as between groups of a dragonfly.
    bool pass_hosts() const { return pass_hosts_; }

    /// Seconds of latency of a message from the hosts of a leaf to one of another leaf, with the cables of both hosts.
    double latency(int leaf, int host) const;

    static constexpr std::int64_t most_routes = 1 << 14;  // some 200 KiB

private:
    std::size_t hosts_ = 0;
    std::vector<std::int32_t> begin_;  // by leaf and host, and the end of the last
    std::vector<std::int32_t> cables_;
    std::vector<double> bandwidths_;
    std::vector<double> latencies_;       // by cable
    std::vector<double> host_latencies_;  // of the cable of a host, by host
    std::vector<double> leaf_latencies_;  // the same, by leaf
    bool pass_hosts_ = false;
};

}  // namespace coll_topo
