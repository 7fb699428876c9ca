// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/collective_set.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_binomial.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_chain.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_rabenseifner.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_recursive_doubling.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_ring.hpp"
#include "coll_topo/algorithm/fat_tree/grouped_two_tree.hpp"
#include "coll_topo/algorithm/fat_tree/submesh.hpp"

namespace coll_topo {

/// Rows of the catalogue for networks of switches. For catalogue.cpp.
inline constexpr Algorithm switch_rows[] = {
    {
        .name = "submesh",
        .summary = "whole vectors under leaves, along columns and along rows of a fat tree; for small messages",
        .collectives = any({Collective::allreduce, Collective::reduce, Collective::bcast}),
        .further_refusal = submesh::refusal,
        .in_order = submesh::in_order,
        .seconds = submesh::seconds,
        .build = submesh::build,
    },
    {
        .name = "grouped_recursive_doubling",
        .summary = "fat trees: whole vectors, doubling over hosts, then leaves; for small messages",
        .collectives = only(Collective::allreduce),
        .further_refusal = grouped_recursive_doubling::refusal,
        .in_order = grouped_recursive_doubling::in_order,
        .seconds = grouped_recursive_doubling::seconds,
        .build = grouped_recursive_doubling::build,
    },
    {
        .name = "grouped_rabenseifner",
        .summary = "fat trees: halving then doubling over hosts, then leaves; for middle sizes",
        .collectives = only(Collective::allreduce),
        .further_refusal = grouped_rabenseifner::refusal,
        .in_order = grouped_rabenseifner::in_order,
        .seconds = grouped_rabenseifner::seconds,
        .build = grouped_rabenseifner::build,
    },
    {
        .name = "grouped_ring",
        .summary = "fat trees: the ring over hosts, then leaves; for long vectors on few hosts",
        .collectives = only(Collective::allreduce),
        .further_refusal = grouped_ring::refusal,
        .in_order = grouped_ring::in_order,
        .seconds = grouped_ring::seconds,
        .build = grouped_ring::build,
    },
    {
        .name = "grouped_binomial",
        .summary = "whole vectors along a binomial tree over groups, leaves, hosts; for small messages on switches",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .further_refusal = grouped_binomial::refusal,
        .in_order = grouped_binomial::in_order,
        .seconds = grouped_binomial::seconds,
        .build = grouped_binomial::build,
    },
    {
        .name = "grouped_two_tree",
        .summary = "blocks stream through two trees on each level: hosts, leaves, groups; in lanes, on switches",
        .collectives = any({Collective::bcast, Collective::reduce, Collective::allreduce}),
        .uses_lanes = true,
        .uses_segments = true,
        .lane_counts = grouped_two_tree::lane_counts,
        .further_refusal = grouped_two_tree::refusal,
        .in_order = grouped_two_tree::in_order,
        .seconds = grouped_two_tree::seconds,
        .build = grouped_two_tree::build,
    },
    {
        .name = "grouped_chain",
        .summary = "blocks stream from host to host, leaf by leaf; for large messages and few hosts on switches",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .uses_segments = true,
        .further_refusal = grouped_chain::refusal,
        .in_order = grouped_chain::in_order,
        .seconds = grouped_chain::seconds,
        .build = grouped_chain::build,
    },
};

}  // namespace coll_topo
