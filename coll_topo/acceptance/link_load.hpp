// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/cable_test.hpp"

#include <vector>

namespace coll_topo::acceptance {

/// What links carry in a round.
class LinkLoad {
public:
    /// The capacities must outlive it.
    explicit LinkLoad(const LinkCapacities& capacities);

    /// Adds a test if there is room for it at full speed.
    bool add(const CableTest& test);
    void remove(const CableTest& test);

private:
    const LinkCapacities& capacities_;
    std::vector<double> of_link_;
};

}  // namespace coll_topo::acceptance
