// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <simgrid/s4u.hpp>

#include <algorithm>

namespace coll_topo::simulate {

/// The one thread of a rank, which serves its lanes first come, first served.
class Processor {
public:
    void work(double seconds) {
        if (seconds <= 0) return;
        free_at_ = std::max(free_at_, simgrid::s4u::Engine::get_clock()) + seconds;
        simgrid::s4u::this_actor::sleep_until(free_at_);
    }

private:
    double free_at_ = 0;
};

}  // namespace coll_topo::simulate
