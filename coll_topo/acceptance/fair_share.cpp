// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/fair_share.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace coll_topo::acceptance {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nearly = 1 + 1e-9;  // rates, and ends, that differ by less are one

/// The links that flows use, numbered anew, so that a round of a large network costs what its messages do.
class Sharing {
public:
    Sharing(const std::vector<Flow>& flows, const std::vector<double>& capacity_of_link)
        : flows_(flows), links_of_flow_(flows.size()), rates_(flows.size(), 0) {
        std::vector<int> number(capacity_of_link.size(), -1);
        for (std::size_t flow = 0; flow < flows.size(); ++flow) {
            for (const int link : flows[flow].links) {
                int& index = number[static_cast<std::size_t>(link)];
                if (index < 0) {
                    index = static_cast<int>(capacities_.size());
                    capacities_.push_back(capacity_of_link[static_cast<std::size_t>(link)]);
                }
                links_of_flow_[flow].push_back(static_cast<std::size_t>(index));
            }
        }
    }

    /// The rates of the flows that are under way, and of no others: link by link, the one with the least for each flow
    /// first.
    const std::vector<double>& rates(const std::vector<bool>& under_way) {
        std::vector<double> left = capacities_;
        std::vector<int> users(capacities_.size(), 0);
        std::vector<std::size_t> open;
        for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
            if (!under_way[flow]) continue;
            open.push_back(flow);
            for (const std::size_t link : links_of_flow_[flow]) ++users[link];
        }
        while (!open.empty()) {
            double least = infinite;
            for (std::size_t link = 0; link < left.size(); ++link) {
                if (users[link] > 0) least = std::min(least, left[link] / users[link]);
            }
            fix(least, left, users, open);
        }
        return rates_;
    }

private:
    void fix(double rate, std::vector<double>& left, std::vector<int>& users, std::vector<std::size_t>& open) {
        std::vector<bool> full(left.size());
        for (std::size_t link = 0; link < left.size(); ++link) {
            full[link] = users[link] > 0 && left[link] / users[link] <= rate * nearly;
        }
        std::erase_if(open, [&](std::size_t flow) {
            const auto& links = links_of_flow_[flow];
            const bool ends = links.empty() || std::any_of(links.begin(), links.end(),
                                                           [&](std::size_t link) { return bool(full[link]); });
            if (!ends) return false;
            rates_[flow] = rate;
            for (const std::size_t link : links) {
                left[link] = std::max(0.0, left[link] - rate);
                --users[link];
            }
            return true;
        });
    }

    const std::vector<Flow>& flows_;
    std::vector<std::vector<std::size_t>> links_of_flow_;
    std::vector<double> capacities_;
    std::vector<double> rates_;
};

}  // namespace

std::vector<double> ends_of_flows(const std::vector<Flow>& flows, const std::vector<double>& capacity_of_link) {
    Sharing sharing(flows, capacity_of_link);
    std::vector<double> ends(flows.size(), 0);
    std::vector<double> left(flows.size());
    std::vector<bool> under_way(flows.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        left[i] = flows[i].bytes;
        under_way[i] = left[i] > 0 && !flows[i].links.empty();
        count += under_way[i] ? 1 : 0;
    }
    for (double now = 0; count > 0;) {
        const std::vector<double>& rates = sharing.rates(under_way);
        double next = infinite;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (under_way[i] && rates[i] > 0) next = std::min(next, left[i] / rates[i]);
        }
        now += next;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (!under_way[i]) continue;
            const bool ends_now = next == infinite || left[i] <= rates[i] * next * nearly;
            if (!ends_now) {
                left[i] -= rates[i] * next;
                continue;
            }
            ends[i] = now;
            under_way[i] = false;
            --count;
        }
    }
    return ends;
}

}  // namespace coll_topo::acceptance
