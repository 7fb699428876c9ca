// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include "coll_topo/algorithm/alltoall/alltoall_rows.hpp"
#include "coll_topo/algorithm/by_rank/reference_rows.hpp"
#include "coll_topo/algorithm/fat_tree/switch_rows.hpp"

#include <array>

namespace coll_topo {

/// Each stands at the end of the .cpp of its name, or of its kind.
namespace algorithms {
extern const Algorithm recursive_doubling;
extern const Algorithm halving_doubling;
extern const Algorithm swing_whole;
extern const Algorithm swing;
extern const Algorithm bucket;
extern const Algorithm bfb;
extern const Algorithm bfb_packed;
extern const Algorithm middle_reduce;
extern const Algorithm widening_gather;
extern const Algorithm fixed_order_gather;
extern const Algorithm fixed_order;
extern const Algorithm dimension_binomial;
extern const Algorithm logp_tree;
extern const Algorithm edge_disjoint_trees;
}  // namespace algorithms

namespace {

/// In the order in which they are listed; of equally fast ones, the first is chosen.
constexpr std::reference_wrapper<const Algorithm> rows[] = {
    algorithms::recursive_doubling,
    algorithms::halving_doubling,
    algorithms::swing_whole,
    algorithms::swing,
    algorithms::bucket,
    algorithms::bfb,
    algorithms::bfb_packed,
    algorithms::middle_reduce,
    algorithms::widening_gather,
    algorithms::fixed_order_gather,
    algorithms::fixed_order,
    algorithms::dimension_binomial,
    algorithms::logp_tree,
    algorithms::edge_disjoint_trees,
    switch_rows[0],
    switch_rows[1],
    switch_rows[2],
    switch_rows[3],
    switch_rows[4],
    switch_rows[5],
    switch_rows[6],
    alltoall_rows[0],
    alltoall_rows[1],
    alltoall_rows[2],
    reference_rows[0],
    reference_rows[1],
    reference_rows[2],
    reference_rows[3],
    reference_rows[4],
    reference_rows[5],
    reference_rows[6],
    reference_rows[7],
    reference_rows[8],
    reference_rows[9],
    reference_rows[10],
    reference_rows[11],
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
