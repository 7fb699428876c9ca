// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/halving_doubling.hpp"
#include "coll_topo/algorithm/recursive_doubling.hpp"

#include <array>

namespace coll_topo {
namespace {

constexpr std::uint32_t only(Collective collective) {
    return 1u << static_cast<unsigned>(collective);
}

constexpr std::uint32_t with_reduce_scatter_and_allgather =
    only(Collective::allreduce) | only(Collective::reduce_scatter) | only(Collective::reduce_scatter_block) |
    only(Collective::allgather);

constexpr Algorithm rows[] = {
    {
        .name = "recursive_doubling",
        .summary = "whole vectors, doubling along the axes; for small messages",
        .collectives = only(Collective::allreduce),
        .uses_lanes = false,
        .uses_aggregators = false,
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
