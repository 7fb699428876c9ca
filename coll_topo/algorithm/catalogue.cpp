// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/catalogue.hpp"

#include <array>

namespace coll_topo {

/// The rows, each at the end of the .cpp of its name or kind. A new one is declared here and listed below.
namespace algorithms {
extern const Algorithm recursive_doubling;
extern const Algorithm halving_doubling;
extern const Algorithm doubling_in_place;
extern const Algorithm doubling_of_ranks;
extern const Algorithm swing_whole;
extern const Algorithm swing;
extern const Algorithm bucket;
extern const Algorithm network_first;
extern const Algorithm bfb;
extern const Algorithm bfb_packed;
extern const Algorithm middle_reduce;
extern const Algorithm widening_gather;
extern const Algorithm fixed_order_gather;
extern const Algorithm fixed_order;
extern const Algorithm dimension_binomial;
extern const Algorithm logp_tree;
extern const Algorithm edge_disjoint_trees;
extern const Algorithm balanced_tree;
extern const Algorithm grid_chain;
extern const Algorithm multi_chain;
extern const Algorithm multi_tree;
extern const Algorithm grid_ring;
extern const Algorithm multi_ring;
extern const Algorithm two_way_ring;
extern const Algorithm host_rings;
extern const Algorithm submesh;
extern const Algorithm grouped_recursive_doubling;
extern const Algorithm grouped_rabenseifner;
extern const Algorithm grouped_ring;
extern const Algorithm circulant;
extern const Algorithm circulant_of_ranks;
extern const Algorithm grouped_binomial;
extern const Algorithm grouped_knomial;
extern const Algorithm grouped_two_tree;
extern const Algorithm two_tree_by_switches;
extern const Algorithm grouped_chain;
extern const Algorithm a2at;
extern const Algorithm relayed_alltoall;
extern const Algorithm dimension_bruck;
extern const Algorithm dimension_exchange;
extern const Algorithm prefix_doubling;
extern const Algorithm prefix_by_hosts;
extern const Algorithm prefix_chain;
extern const Algorithm neighbor_exchange;
extern const Algorithm ring;
extern const Algorithm recursive_doubling_by_rank;
extern const Algorithm rabenseifner;
extern const Algorithm recursive_halving;
extern const Algorithm reduce_bcast;
extern const Algorithm binomial;
extern const Algorithm knomial;
extern const Algorithm pipelined_chain;
extern const Algorithm two_tree;
extern const Algorithm linear;
extern const Algorithm linear_by_coordinates;
extern const Algorithm through_root;
extern const Algorithm pairwise;
extern const Algorithm bruck;
}  // namespace algorithms

namespace {

/// In the order in which they are listed; of equally fast ones, the first is chosen.
constexpr std::reference_wrapper<const Algorithm> rows[] = {
    algorithms::recursive_doubling,
    algorithms::halving_doubling,
    algorithms::doubling_in_place,
    algorithms::doubling_of_ranks,
    algorithms::swing_whole,
    algorithms::swing,
    algorithms::bucket,
    algorithms::network_first,
    algorithms::bfb,
    algorithms::bfb_packed,
    algorithms::middle_reduce,
    algorithms::widening_gather,
    algorithms::fixed_order_gather,
    algorithms::fixed_order,
    algorithms::dimension_binomial,
    algorithms::logp_tree,
    algorithms::edge_disjoint_trees,
    algorithms::balanced_tree,
    algorithms::grid_chain,
    algorithms::multi_chain,
    algorithms::multi_tree,
    algorithms::grid_ring,
    algorithms::multi_ring,
    algorithms::two_way_ring,
    algorithms::host_rings,
    algorithms::submesh,
    algorithms::grouped_recursive_doubling,
    algorithms::grouped_rabenseifner,
    algorithms::grouped_ring,
    algorithms::circulant,
    algorithms::circulant_of_ranks,
    algorithms::grouped_binomial,
    algorithms::grouped_knomial,
    algorithms::grouped_two_tree,
    algorithms::two_tree_by_switches,
    algorithms::grouped_chain,
    algorithms::a2at,
    algorithms::relayed_alltoall,
    algorithms::dimension_bruck,
    algorithms::dimension_exchange,
    algorithms::prefix_doubling,
    algorithms::prefix_by_hosts,
    algorithms::prefix_chain,
    algorithms::neighbor_exchange,
    algorithms::ring,
    algorithms::recursive_doubling_by_rank,
    algorithms::rabenseifner,
    algorithms::recursive_halving,
    algorithms::reduce_bcast,
    algorithms::binomial,
    algorithms::knomial,
    algorithms::pipelined_chain,
    algorithms::two_tree,
    algorithms::linear,
    algorithms::linear_by_coordinates,
    algorithms::through_root,
    algorithms::pairwise,
    algorithms::bruck,
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

}  // namespace coll_topo
