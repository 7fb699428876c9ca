// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/a2at.hpp"
#include "coll_topo/algorithm/binomial.hpp"
#include "coll_topo/algorithm/bruck.hpp"
#include "coll_topo/algorithm/combining_stage.hpp"
#include "coll_topo/algorithm/dimension_bruck.hpp"
#include "coll_topo/algorithm/dimension_exchange.hpp"
#include "coll_topo/algorithm/grouped_binomial.hpp"
#include "coll_topo/algorithm/grouped_chain.hpp"
#include "coll_topo/algorithm/grouped_rabenseifner.hpp"
#include "coll_topo/algorithm/grouped_recursive_doubling.hpp"
#include "coll_topo/algorithm/grouped_two_tree.hpp"
#include "coll_topo/algorithm/halving_doubling.hpp"
#include "coll_topo/algorithm/linear.hpp"
#include "coll_topo/algorithm/pairwise.hpp"
#include "coll_topo/algorithm/pipelined_chain.hpp"
#include "coll_topo/algorithm/rabenseifner.hpp"
#include "coll_topo/algorithm/recursive_doubling.hpp"
#include "coll_topo/algorithm/recursive_doubling_by_rank.hpp"
#include "coll_topo/algorithm/reduce_bcast.hpp"
#include "coll_topo/algorithm/ring.hpp"
#include "coll_topo/algorithm/submesh.hpp"
#include "coll_topo/algorithm/two_tree.hpp"

#include <array>
#include <initializer_list>

namespace coll_topo {
namespace {

constexpr std::uint32_t only(Collective collective) {
    return 1u << static_cast<unsigned>(collective);
}

constexpr std::uint32_t with_reduce_scatter_and_allgather =
    only(Collective::allreduce) | only(Collective::reduce_scatter) | only(Collective::reduce_scatter_block) |
    only(Collective::allgather);

constexpr std::uint32_t any(std::initializer_list<Collective> collectives) {
    std::uint32_t bits = 0;
    for (const Collective collective : collectives) bits |= only(collective);
    return bits;
}

constexpr Algorithm rows[] = {
    {
        .name = "recursive_doubling",
        .summary = "whole vectors, doubling along the axes; for small messages",
        .collectives = only(Collective::allreduce),
        .refusal = recursive_doubling::refusal,
        .in_order = recursive_doubling::in_order,
        .seconds = recursive_doubling::seconds,
        .build = recursive_doubling::build,
    },
    {
        .name = "halving_doubling",
        .summary = "all halving then all doubling, dimensions sorted by bandwidth, in lanes",
        .collectives = with_reduce_scatter_and_allgather,
        .uses_lanes = true,
        .uses_aggregators = true,
        .refusal = halving_doubling::refusal,
        .in_order = halving_doubling::in_order,
        .seconds = halving_doubling::seconds,
        .build = halving_doubling::build,
    },
    {
        .name = "submesh",
        .summary = "whole vectors under leaves, along columns and along rows of a fat tree; for small messages",
        .collectives = any({Collective::allreduce, Collective::reduce, Collective::bcast}),
        .refusal = submesh::refusal,
        .in_order = submesh::in_order,
        .seconds = submesh::seconds,
        .build = submesh::build,
    },
    {
        .name = "grouped_recursive_doubling",
        .summary = "fat trees: whole vectors, doubling over hosts, then leaves; for small messages",
        .collectives = only(Collective::allreduce),
        .refusal = grouped_recursive_doubling::refusal,
        .in_order = grouped_recursive_doubling::in_order,
        .seconds = grouped_recursive_doubling::seconds,
        .build = grouped_recursive_doubling::build,
    },
    {
        .name = "grouped_rabenseifner",
        .summary = "fat trees: halving then doubling over hosts, then leaves; for middle sizes",
        .collectives = only(Collective::allreduce),
        .refusal = grouped_rabenseifner::refusal,
        .in_order = grouped_rabenseifner::in_order,
        .seconds = grouped_rabenseifner::seconds,
        .build = grouped_rabenseifner::build,
    },
    {
        .name = "grouped_binomial",
        .summary = "whole vectors along a binomial tree over groups, leaves, hosts; for small messages on switches",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .refusal = grouped_binomial::refusal,
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
        .refusal = grouped_two_tree::refusal,
        .in_order = grouped_two_tree::in_order,
        .seconds = grouped_two_tree::seconds,
        .build = grouped_two_tree::build,
    },
    {
        .name = "grouped_chain",
        .summary = "blocks stream from host to host, leaf by leaf; for large messages and few hosts on switches",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .uses_segments = true,
        .refusal = grouped_chain::refusal,
        .in_order = grouped_chain::in_order,
        .seconds = grouped_chain::seconds,
        .build = grouped_chain::build,
    },
    {
        .name = "a2at",
        .summary = "direct messages in an order that loads all links equally, some in flight; for large messages",
        .collectives = only(Collective::alltoall),
        .direct = true,
        .refusal = a2at::refusal,
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
        .refusal = dimension_bruck::refusal,
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
        .refusal = dimension_exchange::refusal,
        .in_order = dimension_exchange::in_order,
        .seconds = dimension_exchange::seconds,
        .build = dimension_exchange::build,
    },
    {
        .name = "ring",
        .summary = "reference: blocks go round the ring of ranks",
        .collectives = with_reduce_scatter_and_allgather,
        .reference = true,
        .refusal = ring::refusal,
        .in_order = ring::in_order,
        .seconds = ring::seconds,
        .build = ring::build,
    },
    {
        .name = "recursive_doubling_by_rank",
        .summary = "reference: doubling, with the ranks at distance 1, 2, 4, ...",
        .collectives = any({Collective::allreduce, Collective::allgather}),
        .reference = true,
        .refusal = recursive_doubling_by_rank::refusal,
        .in_order = recursive_doubling_by_rank::in_order,
        .seconds = recursive_doubling_by_rank::seconds,
        .build = recursive_doubling_by_rank::build,
    },
    {
        .name = "rabenseifner",
        .summary = "reference: halving then doubling, with the ranks at distance 1, 2, 4, ...",
        .collectives = only(Collective::allreduce),
        .reference = true,
        .refusal = rabenseifner::refusal,
        .in_order = rabenseifner::in_order,
        .seconds = rabenseifner::seconds,
        .build = rabenseifner::build,
    },
    {
        .name = "reduce_bcast",
        .summary = "reference: binomial reduce to rank 0, then binomial bcast",
        .collectives = only(Collective::allreduce),
        .reference = true,
        .refusal = reduce_bcast::refusal,
        .in_order = reduce_bcast::in_order,
        .seconds = reduce_bcast::seconds,
        .build = reduce_bcast::build,
    },
    {
        .name = "binomial",
        .summary = "reference: whole vectors along a binomial tree",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .reference = true,
        .refusal = binomial::refusal,
        .in_order = binomial::in_order,
        .seconds = binomial::seconds,
        .build = binomial::build,
    },
    {
        .name = "pipelined_chain",
        .summary = "reference: blocks stream along the chain of ranks",
        .collectives = any({Collective::bcast, Collective::reduce}),
        .uses_segments = true,
        .reference = true,
        .refusal = pipelined_chain::refusal,
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
        .refusal = two_tree::refusal,
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
        .refusal = linear::refusal,
        .in_order = linear::in_order,
        .seconds = linear::seconds,
        .build = linear::build,
    },
    {
        .name = "pairwise",
        .summary = "reference: one rank after the other, at distance 1, 2, 3, ...",
        .collectives = any({Collective::reduce_scatter, Collective::reduce_scatter_block, Collective::alltoall}),
        .reference = true,
        .direct = true,
        .refusal = pairwise::refusal,
        .in_order = pairwise::in_order,
        .seconds = pairwise::seconds,
        .build = pairwise::build,
    },
    {
        .name = "bruck",
        .summary = "reference: pieces packed into ceil(log2 p) messages",
        .collectives = any({Collective::allgather, Collective::alltoall}),
        .reference = true,
        .refusal = bruck::refusal,
        .in_order = bruck::in_order,
        .seconds = bruck::seconds,
        .build = bruck::build,
    },
};

}  // namespace

std::span<const Algorithm> catalogue() {
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
