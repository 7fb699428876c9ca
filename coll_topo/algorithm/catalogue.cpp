// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/alltoall/alltoall_rows.hpp"
#include "coll_topo/algorithm/breadth_first/bfb.hpp"
#include "coll_topo/algorithm/breadth_first/bfb_packed.hpp"
#include "coll_topo/algorithm/breadth_first/breadth_first_lane.hpp"
#include "coll_topo/algorithm/by_rank/reference_rows.hpp"
#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/switch_rows.hpp"
#include "coll_topo/algorithm/halving/recursive_doubling.hpp"
#include "coll_topo/algorithm/halving/swing_whole.hpp"
#include "coll_topo/algorithm/in_order/fixed_order.hpp"
#include "coll_topo/algorithm/in_order/fixed_order_gather.hpp"
#include "coll_topo/algorithm/in_order/middle_reduce.hpp"
#include "coll_topo/algorithm/in_order/widening_gather.hpp"
#include "coll_topo/algorithm/tree/dimension_binomial.hpp"
#include "coll_topo/algorithm/tree/edge_disjoint_trees.hpp"
#include "coll_topo/algorithm/tree/logp_tree.hpp"

#include <array>

namespace coll_topo {

/// Each is the last thing in the .cpp of its name.
namespace algorithms {
extern const Algorithm halving_doubling, swing, bucket;
}

namespace {

/// Algorithms for tori and meshes, some of which serve switches as well.
constexpr Algorithm torus_rows[] = {
    {
        .name = "recursive_doubling",
        .summary = "whole vectors, doubling along the axes; for small messages",
        .collectives = only(Collective::allreduce),
        .further_refusal = recursive_doubling::refusal,
        .in_order = recursive_doubling::in_order,
        .seconds = recursive_doubling::seconds,
        .build = recursive_doubling::build,
    },
    {
        .name = "swing_whole",
        .summary = "tori: whole vectors over short distances; for small messages on rings of 8, 16, ... hosts",
        .collectives = only(Collective::allreduce),
        .further_refusal = swing_whole::refusal,
        .in_order = swing_whole::in_order,
        .seconds = swing_whole::seconds,
        .build = swing_whole::build,
    },
    {
        .name = "bfb",
        .summary = "tori: shards spread breadth first over all ports of all hosts at once; for large messages",
        .collectives = with_reduce_scatter_and_allgather,
        .uses_aggregators = true,
        .spreads = true,
        .further_refusal = breadth_first::refusal,
        .in_order = breadth_first::in_order,
        .seconds = bfb::seconds,
        .build = bfb::build,
    },
    {
        .name = "bfb_packed",
        .summary = "tori: shards spread breadth first over all ports at once, one message each; for middle sizes",
        .collectives = with_reduce_scatter_and_allgather,
        .uses_aggregators = true,
        .spreads = true,
        .further_refusal = breadth_first::refusal,
        .in_order = breadth_first::in_order,
        .seconds = bfb_packed::seconds,
        .build = bfb_packed::build,
    },
    {
        .name = "middle_reduce",
        .summary = "blocks stream from both ends of each line to its middle and back; in segments, on tori and meshes",
        .collectives = any({Collective::allreduce, Collective::reduce}),
        .uses_segments = true,
        .further_refusal = middle_reduce::refusal,
        .in_order = middle_reduce::in_order,
        .seconds = middle_reduce::seconds,
        .build = middle_reduce::build,
    },
    {
        .name = "widening_gather",
        .summary =
            "tori: operands gathered round rings in wider and wider steps; for the smallest messages on long rings",
        .collectives = only(Collective::allreduce),
        .fixed_order = true,
        .also_in_any_order = true,
        .further_refusal = widening_gather::refusal,
        .in_order = widening_gather::in_order,
        .seconds = widening_gather::seconds,
        .build = widening_gather::build,
    },
    {
        .name = "fixed_order_gather",
        .summary = "operands gathered along each axis, combined by all in the order of coordinates; for small messages",
        .collectives = only(Collective::allreduce),
        .fixed_order = true,
        .further_refusal = fixed_order_gather::refusal,
        .in_order = fixed_order_gather::in_order,
        .seconds = fixed_order_gather::seconds,
        .build = fixed_order_gather::build,
    },
    {
        .name = "fixed_order",
        .summary = "blocks stream along each axis, combined in the order of coordinates; for large messages",
        .collectives = any({Collective::allreduce, Collective::reduce}),
        .uses_segments = true,
        .fixed_order = true,
        .further_refusal = fixed_order::refusal,
        .in_order = fixed_order::in_order,
        .seconds = fixed_order::seconds,
        .build = fixed_order::build,
    },
    {
        .name = "dimension_binomial",
        .summary = "whole vectors along a binomial tree on one axis after the other; for small messages on tori",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .further_refusal = dimension_binomial::refusal,
        .in_order = dimension_binomial::in_order,
        .seconds = dimension_binomial::seconds,
        .build = dimension_binomial::build,
    },
    {
        .name = "logp_tree",
        .summary = "whole vectors along trees as wide as latency makes them worth; for the smallest messages on tori",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .further_refusal = logp_tree::refusal,
        .in_order = logp_tree::in_order,
        .seconds = logp_tree::seconds,
        .build = logp_tree::build,
    },
    {
        .name = "edge_disjoint_trees",
        .summary = "blocks stream through a tree for each port of the root that share no link; in lanes, on tori",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .uses_lanes = true,
        .uses_segments = true,
        .lane_counts = edge_disjoint_trees::lane_counts,
        .further_refusal = edge_disjoint_trees::refusal,
        .in_order = edge_disjoint_trees::in_order,
        .seconds = edge_disjoint_trees::seconds,
        .build = edge_disjoint_trees::build,
    },
};

/// In the order in which they are listed; of equally fast ones, the first is chosen.
constexpr std::reference_wrapper<const Algorithm> rows[] = {
    torus_rows[0],      algorithms::halving_doubling,
    torus_rows[1],      algorithms::swing,
    algorithms::bucket, torus_rows[2],
    torus_rows[3],      torus_rows[4],
    torus_rows[5],      torus_rows[6],
    torus_rows[7],      torus_rows[8],
    torus_rows[9],      torus_rows[10],
    switch_rows[0],     switch_rows[1],
    switch_rows[2],     switch_rows[3],
    switch_rows[4],     switch_rows[5],
    switch_rows[6],     alltoall_rows[0],
    alltoall_rows[1],   alltoall_rows[2],
    reference_rows[0],  reference_rows[1],
    reference_rows[2],  reference_rows[3],
    reference_rows[4],  reference_rows[5],
    reference_rows[6],  reference_rows[7],
    reference_rows[8],  reference_rows[9],
    reference_rows[10], reference_rows[11],
    reference_rows[12],
};

}  // namespace

std::span<const std::reference_wrapper<const Algorithm>> catalogue() {
    return rows;
}

const Algorithm* find_algorithm(std::string_view name) {
    for (const Algorithm& row : rows) {
        if (row.name == name) return &row;
    }
    return nullptr;
}

std::string_view collective_name(Collective collective) {
    constexpr std::array<std::string_view, collective_count> names = {
        "allreduce", "reduce_scatter", "reduce_scatter_block", "allgather", "bcast", "reduce", "alltoall"};
    return names[static_cast<std::size_t>(collective)];
}

}  // namespace coll_topo
