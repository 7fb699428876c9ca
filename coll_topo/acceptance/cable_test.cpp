// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cable_test.hpp"

#include "coll_topo/acceptance/open_test.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr double rounding = 1e-9;  // sums of bandwidths may be off by this share

}  // namespace

LinkCapacities::LinkCapacities(const LinkGraph& graph) {
    double fastest = 0;
    for (const Link& link : graph.links()) {
        fastest = std::max(fastest, link.bandwidth);
        known = known && link.bandwidth > 0;
    }
    const double open = fastest > 0 ? fastest : 1;
    for (const Link& link : graph.links()) of_link.push_back(link.bandwidth > 0 ? link.bandwidth : open);
}

bool OpenTest::is_full(double capacity) const {
    return test_.bandwidth >= capacity * (1 - rounding);
}

double OpenTest::carried_by(int link) const {
    double sum = 0;
    for (const Message& message : test_.messages) {
        if (std::find(message.links.begin(), message.links.end(), link) != message.links.end()) sum += message.rate;
    }
    return sum;
}

bool OpenTest::offer(int link, Message message, const LinkCapacities& capacities) {
    const double capacity = capacities.of_link[static_cast<std::size_t>(link)];
    if (is_full(capacity)) return false;
    message.rate = capacity - test_.bandwidth;
    for (const int other : message.links) {
        message.rate = std::min(message.rate, capacities.of_link[static_cast<std::size_t>(other)]);
    }
    for (const int other : message.links) {
        if (other == link) continue;
        const double most = capacities.of_link[static_cast<std::size_t>(other)] * (1 + rounding);
        if (carried_by(other) + message.rate > most) return false;
    }
    if (test_.links.empty()) test_.links = {link};
    test_.bandwidth += message.rate;
    test_.messages.push_back(std::move(message));
    return true;
}

}  // namespace coll_topo::acceptance
