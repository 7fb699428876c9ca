// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// A test of one link to which messages are added until they fill it.
class OpenTest {
public:
    bool is_full(double capacity) const;

    /// Adds a message that takes `link`, unless the link is full or another link of the message would then carry more
    /// than it can.
    bool offer(int link, Message message, const LinkCapacities& capacities);

    const CableTest& test() const { return test_; }

private:
    double carried_by(int link) const;

    CableTest test_;
};

}  // namespace coll_topo::acceptance
