// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/link_load.hpp"

namespace coll_topo::acceptance {

namespace {

constexpr double rounding = 1e-9;  // sums of bandwidths may be off by this share

}  // namespace

LinkLoad::LinkLoad(const LinkCapacities& capacities) : capacities_(capacities), of_link_(capacities.of_link.size()) {}

bool LinkLoad::add(const CableTest& test) {
    bool fits = true;
    for (const Message& message : test.messages) {
        for (const int link : message.links) {
            const auto index = static_cast<std::size_t>(link);
            of_link_[index] += message.rate;
            fits = fits && of_link_[index] <= capacities_.of_link[index] * (1 + rounding);
        }
    }
    if (!fits) remove(test);
    return fits;
}

void LinkLoad::remove(const CableTest& test) {
    for (const Message& message : test.messages) {
        for (const int link : message.links) of_link_[static_cast<std::size_t>(link)] -= message.rate;
    }
}

}  // namespace coll_topo::acceptance
