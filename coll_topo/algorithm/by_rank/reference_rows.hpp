// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/linear_by_coordinates.hpp"
#include "coll_topo/algorithm/by_rank/binomial.hpp"
#include "coll_topo/algorithm/by_rank/bruck.hpp"
#include "coll_topo/algorithm/by_rank/knomial.hpp"
#include "coll_topo/algorithm/by_rank/linear.hpp"
#include "coll_topo/algorithm/by_rank/pairwise.hpp"
#include "coll_topo/algorithm/by_rank/pipelined_chain.hpp"
#include "coll_topo/algorithm/by_rank/rabenseifner.hpp"
#include "coll_topo/algorithm/by_rank/recursive_doubling_by_rank.hpp"
#include "coll_topo/algorithm/by_rank/recursive_halving.hpp"
#include "coll_topo/algorithm/by_rank/reduce_bcast.hpp"
#include "coll_topo/algorithm/by_rank/ring.hpp"
#include "coll_topo/algorithm/by_rank/two_tree.hpp"
#include "coll_topo/algorithm/collective_set.hpp"

namespace coll_topo {

/// Textbook algorithms: rows of the catalogue that run only when asked for by name. For catalogue.cpp.
inline constexpr Algorithm reference_rows[] = {
    {
        .name = "ring",
        .summary = "reference: blocks go round the ring of ranks",
        .collectives = with_reduce_scatter_and_allgather,
        .reference = true,
        .further_refusal = ring::refusal,
        .in_order = ring::in_order,
        .seconds = ring::seconds,
        .build = ring::build,
    },
    {
        .name = "recursive_doubling_by_rank",
        .summary = "reference: doubling, with the ranks at distance 1, 2, 4, ...",
        .collectives = any({Collective::allreduce, Collective::allgather}),
        .reference = true,
        .further_refusal = recursive_doubling_by_rank::refusal,
        .in_order = recursive_doubling_by_rank::in_order,
        .seconds = recursive_doubling_by_rank::seconds,
        .build = recursive_doubling_by_rank::build,
    },
    {
        .name = "rabenseifner",
        .summary = "reference: halving then doubling, with the ranks at distance 1, 2, 4, ...",
        .collectives = only(Collective::allreduce),
        .reference = true,
        .further_refusal = rabenseifner::refusal,
        .in_order = rabenseifner::in_order,
        .seconds = rabenseifner::seconds,
        .build = rabenseifner::build,
    },
    {
        .name = "recursive_halving",
        .summary = "reference: halving, with the ranks at distance ..., 4, 2, 1",
        .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block}),
        .reference = true,
        .further_refusal = recursive_halving::refusal,
        .in_order = recursive_halving::in_order,
        .seconds = recursive_halving::seconds,
        .build = recursive_halving::build,
    },
    {
        .name = "reduce_bcast",
        .summary = "reference: binomial reduce to rank 0, then binomial bcast",
        .collectives = only(Collective::allreduce),
        .reference = true,
        .further_refusal = reduce_bcast::refusal,
        .in_order = reduce_bcast::in_order,
        .seconds = reduce_bcast::seconds,
        .build = reduce_bcast::build,
    },
    {
        .name = "binomial",
        .summary = "reference: whole vectors along a binomial tree",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .reference = true,
        .further_refusal = binomial::refusal,
        .in_order = binomial::in_order,
        .seconds = binomial::seconds,
        .build = binomial::build,
    },
    {
        .name = "knomial",
        .summary = "reference: whole vectors along a tree of radix 4",
        .collectives = only(Collective::bcast),
        .reference = true,
        .further_refusal = knomial::refusal,
        .in_order = knomial::in_order,
        .seconds = knomial::seconds,
        .build = knomial::build,
    },
    {
        .name = "pipelined_chain",
        .summary = "reference: blocks stream along the chain of ranks",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .uses_segments = true,
        .reference = true,
        .further_refusal = pipelined_chain::refusal,
        .in_order = pipelined_chain::in_order,
        .seconds = pipelined_chain::seconds,
        .build = pipelined_chain::build,
    },
    {
        .name = "two_tree",
        .summary = "reference: blocks stream through two binary trees over the ranks",
        .collectives = any({Collective::bcast, Collective::reduce, Collective::allreduce}),
        .uses_segments = true,
        .reference = true,
        .further_refusal = two_tree::refusal,
        .in_order = two_tree::in_order,
        .seconds = two_tree::seconds,
        .build = two_tree::build,
    },
    {
        .name = "linear",
        .summary = "reference: all messages at once, each from its first to its last rank",
        .collectives = any({Collective::bcast, Collective::reduce, Collective::alltoall, Collective::allgather}),
        .reference = true,
        .direct = true,
        .further_refusal = linear::refusal,
        .in_order = linear::in_order,
        .seconds = linear::seconds,
        .build = linear::build,
    },
    {
        .name = "linear_by_coordinates",
        .summary = "reference: all messages at once, on a torus by relative coordinates, the last one fastest",
        .collectives = only(Collective::alltoall),
        .reference = true,
        .direct = true,
        .further_refusal = linear_by_coordinates::refusal,
        .in_order = linear_by_coordinates::in_order,
        .seconds = linear_by_coordinates::seconds,
        .build = linear_by_coordinates::build,
    },
    {
        .name = "pairwise",
        .summary = "reference: one rank after the other, at distance 1, 2, 3, ...",
        .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::alltoall}),
        .reference = true,
        .direct = true,
        .further_refusal = pairwise::refusal,
        .in_order = pairwise::in_order,
        .seconds = pairwise::seconds,
        .build = pairwise::build,
    },
    {
        .name = "bruck",
        .summary = "reference: pieces packed into ceil(log2 p) messages",
        .collectives = any({Collective::allgather, Collective::alltoall}),
        .reference = true,
        .further_refusal = bruck::refusal,
        .in_order = bruck::in_order,
        .seconds = bruck::seconds,
        .build = bruck::build,
    },
};

}  // namespace coll_topo
