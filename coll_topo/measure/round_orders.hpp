// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/round_messages.hpp"

#include <mpi.h>
#include <utility>
#include <vector>

namespace coll_topo::bench {

inline constexpr int order_tag = 1, report_tag = 2, first_round_tag = 64;

enum class OrderKind { call, latency, alone, together, end };  ///< call: only answer

/// What the leading rank wants others to do.
struct Order {
    int number = 0;  ///< higher than that of all orders before
    OrderKind kind = OrderKind::call;
    int round = 0;
    std::vector<int> silent = {};  ///< hosts
    /// Ranks that the leading one does not reach by itself, and the rank that passes the order on to each.
    std::vector<std::pair<int, int>> passed_on = {};
};

/// What a rank answers, to the rank that it has the order from.
struct Report {
    int number = 0;  ///< of the order
    int rank = 0;
    RoundResults results = {};
};

/// Each gives up when local_seconds() shows the deadline.
void send_order(MPI_Comm communicator, const Order& order, const std::vector<int>& ranks, double deadline);
void send_report(MPI_Comm communicator, const Report& report, int rank, double deadline);

/// One that has arrived; false if none has.
bool receive_order(MPI_Comm communicator, Order& order, int& from);
bool receive_report(MPI_Comm communicator, Report& report);

/// Lets others run for a moment.
void nap();

}  // namespace coll_topo::bench
