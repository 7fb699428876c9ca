// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/round_orders.hpp"

#include <mpi.h>
#include <functional>
#include <vector>

namespace coll_topo::bench {

/// The rounds of a plan as each rank runs them. None of the arguments is kept but as a reference.
class CableRounds {
public:
    CableRounds(MPI_Comm communicator, const acceptance::CablePlan& plan, const acceptance::LinkCapacities& capacities,
                const std::vector<int>& host_of_rank, int hosts, double seconds_of_round);

    const Speakers& speakers() const { return speakers_; }
    void silence(int host) { speakers_[static_cast<std::size_t>(host)] = -1; }
    double seconds_of_round() const { return seconds_of_round_; }
    const std::vector<acceptance::Round>& of_kind(OrderKind kind) const;

    /// What an order says.
    RoundResults run(const Order& order) const;

private:
    MPI_Comm communicator_;
    const acceptance::CablePlan& plan_;
    const acceptance::LinkCapacities& capacities_;
    double seconds_of_round_;
    Speakers speakers_;  // by host
};

/// A rank that waits for orders, does what they say, and passes orders and reports on, until it is told to end. `waits`
/// is called now and then while no order comes.
void follow_orders(MPI_Comm communicator, CableRounds& rounds, const std::function<void()>& waits);

}  // namespace coll_topo::bench
