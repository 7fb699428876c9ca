// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/message_ways.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// The nearest hosts of each host, and the links on the ways to them and back. The next in number is among them, so
/// that from one to the next all are reached.
class NearHosts {
public:
    struct Near {
        std::int32_t host;
        std::int32_t begin, middle, end;  // of the links: there, and back
    };

    /// Takes time that grows with the square of the hosts.
    explicit NearHosts(const Grid& grid);

    std::span<const Near> of(int host) const { return {&near_[begin_[host]], begin_[host + 1] - begin_[host]}; }

    std::span<const int> there(const Near& near) const { return links(near.begin, near.middle); }
    std::span<const int> back(const Near& near) const { return links(near.middle, near.end); }
    std::span<const int> both(const Near& near) const { return links(near.begin, near.end); }

    /// By link.
    const std::vector<double>& seconds_per_byte() const { return seconds_per_byte_; }

private:
    void add(MessageWays& ways, int from, int to);
    std::span<const int> links(std::int32_t begin, std::int32_t end) const {
        return std::span(links_).subspan(begin, end - begin);
    }

    std::vector<std::size_t> begin_;  // by host, and the end of the last
    std::vector<Near> near_;
    std::vector<int> links_;
    std::vector<double> seconds_per_byte_;
};

}  // namespace coll_topo
