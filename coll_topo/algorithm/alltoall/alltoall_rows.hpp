// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/a2at.hpp"
#include "coll_topo/algorithm/alltoall/combining_stage.hpp"
#include "coll_topo/algorithm/alltoall/dimension_bruck.hpp"
#include "coll_topo/algorithm/alltoall/dimension_exchange.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

namespace coll_topo {

/// Rows of the catalogue for alltoall. For catalogue.cpp.
inline constexpr Algorithm alltoall_rows[] = {
    {
        .name = "a2at",
        .summary = "direct messages in an order that loads all links equally, some in flight; for large messages",
        .collectives = only(Collective::alltoall),
        .direct = true,
        .further_refusal = a2at::refusal,
        .in_order = a2at::in_order,
        .seconds = a2at::seconds,
        .build = a2at::build,
    },
    {
        .name = "dimension_bruck",
        .summary = "pieces packed into ceil(log2 d) messages along each axis; for the smallest messages",
        .collectives = only(Collective::alltoall),
        .uses_aggregators = true,
        .aggregator_counts = combining_aggregator_counts,
        .further_refusal = dimension_bruck::refusal,
        .in_order = dimension_bruck::in_order,
        .seconds = dimension_bruck::seconds,
        .build = dimension_bruck::build,
    },
    {
        .name = "dimension_exchange",
        .summary = "pieces packed into one message to each place of a line, axis after axis; in lanes",
        .collectives = only(Collective::alltoall),
        .uses_lanes = true,
        .uses_aggregators = true,
        .lane_counts = dimension_exchange::lane_counts,
        .aggregator_counts = combining_aggregator_counts,
        .further_refusal = dimension_exchange::refusal,
        .in_order = dimension_exchange::in_order,
        .seconds = dimension_exchange::seconds,
        .build = dimension_exchange::build,
    },
};

}  // namespace coll_topo
