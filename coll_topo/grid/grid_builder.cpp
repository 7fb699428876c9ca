// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/grid_builder.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo {
namespace {

/// Hops between two places of an axis, on average over all pairs.
double mean_hops(const Axis& axis) {
    const double size = axis.size;
    return axis.wrapped ? size / 4 : (size - 1 / size) / 3;
}

}  // namespace

Grid GridBuilder::build(BoxFit fit) {
    number_hosts(fit);
    arrange();
    fill_hosts();
    prefer_aggregators();
    assign_proxies(fit);
    order_by_switches();
    int stride = 1;
    for (const Axis& axis : fit.axes) {
        grid_.strides_.push_back(stride);
        stride *= axis.size;
    }
    grid_.axes_ = std::move(fit.axes);
    grid_.costs_ = fabric_.costs;
    if (fit.skewed) look_up_by_leaf();
    return std::move(grid_);
}

Grid GridBuilder::on_one_axis(Grid grid) {
    Axis axis = grid.axes_.empty() ? Axis{} : grid.axes_[0];
    axis.name = "line";
    axis.size = grid.hosts();
    axis.wrapped = false;
    if (!axis.switched) axis.latency = 0;
    for (const Axis& other : grid.axes_) {
        if (axis.switched) {
            axis.latency = std::max(axis.latency, other.latency);
            axis.pair_bandwidth = std::min(axis.pair_bandwidth, other.pair_bandwidth);
        } else {
            axis.start_latency += mean_hops(other) * other.latency;
        }
        // A message takes one of the two cables of a ring of two.
        const int cables = other.wrapped && other.size == 2 ? 2 : 1;
        axis.bandwidth = std::min(axis.bandwidth, other.bandwidth / cables);
    }
    grid.axes_ = {axis};
    grid.strides_ = {1};
    grid.places_ = grid.hosts();
    grid.proxy_.clear();
    grid.extra_host_of_.clear();
    grid.place_on_leaf_.clear();
    return grid;
}

/// Hosts of the grid are the places, then the extra hosts.
void GridBuilder::number_hosts(const BoxFit& fit) {
    grid_.places_ = static_cast<int>(fit.places.size());
    std::vector<std::int32_t> new_number(in_use_.hosts.size());
    std::int32_t next = 0;
    for (const auto* hosts : {&fit.places, &fit.extra_hosts}) {
        for (const std::int32_t host : *hosts) new_number[host] = next++;
    }
    for (const std::int32_t host : in_use_.of_rank) grid_.host_of_rank_.push_back(new_number[host]);
}

void GridBuilder::arrange() {
    std::vector<std::int32_t> renumbered(in_use_.hosts.size());
    for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
        renumbered[grid_.host_of_rank_[rank]] = placement_[rank].host;
    }
    grid_.leaves_ = arrange_leaves(fabric_, renumbered);
    const Torus* torus = fabric_.torus();
    if (torus == nullptr) return;
    std::vector<std::int64_t> cells;
    for (const std::int32_t host : renumbered) cells.push_back(fabric_.cell(host));
    grid_.cells_.emplace(*torus, cells, fabric_.start_latency());
}

void GridBuilder::fill_hosts() {
    const std::size_t hosts = in_use_.hosts.size();
    grid_.host_begin_.assign(hosts + 1, 0);
    for (const std::int32_t host : grid_.host_of_rank_) ++grid_.host_begin_[host + 1];
    std::partial_sum(grid_.host_begin_.begin(), grid_.host_begin_.end(), grid_.host_begin_.begin());
    grid_.ranks_by_host_.resize(placement_.size());
    grid_.local_ranks_.resize(placement_.size());
    std::vector<std::int32_t> filled(hosts, 0);
    for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
        const std::int32_t host = grid_.host_of_rank_[rank];
        grid_.local_ranks_[rank] = filled[host];
        grid_.ranks_by_host_[grid_.host_begin_[host] + filled[host]++] = static_cast<std::int32_t>(rank);
    }
    const auto [smallest, largest] = std::minmax_element(filled.begin(), filled.end());
    grid_.fewest_ranks_per_host_ = *smallest;
    grid_.most_ranks_per_host_ = *largest;
}

void GridBuilder::prefer_aggregators() {
    int fewest_domains = grid_.fewest_ranks_per_host_;
    std::vector<std::int32_t> preference;
    preference.reserve(grid_.ranks_by_host_.size());
    int domains = 0;
    std::vector<std::pair<int, std::int32_t>> turns;  // how many of its domain come before, local rank
    bool in_order = true;
    for (int host = 0; host < grid_.hosts(); ++host) {
        const auto ranks = grid_.ranks_of_host(host);
        domains = 0;
        turns.clear();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const std::uint16_t domain = placement_[ranks[i]].numa;
            const auto before = std::count_if(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i),
                                              [&](int rank) { return placement_[rank].numa == domain; });
            if (before == 0) ++domains;
            turns.emplace_back(static_cast<int>(before), static_cast<std::int32_t>(i));
        }
        in_order = in_order && std::is_sorted(turns.begin(), turns.end());
        std::sort(turns.begin(), turns.end());
        for (const auto& turn : turns) preference.push_back(turn.second);
        fewest_domains = std::min(fewest_domains, domains);
    }
    if (!in_order) grid_.preference_ = std::move(preference);
    // Ranks that share one domain, or are bound to none, reduce fastest when each takes its part.
    grid_.natural_aggregators_ = fewest_domains > 1 ? fewest_domains : grid_.fewest_ranks_per_host_;
}

void GridBuilder::assign_proxies(const BoxFit& fit) {
    if (fit.extra_hosts.empty()) return;
    grid_.proxy_ = fit.proxies;
    grid_.extra_host_of_.assign(grid_.places_, -1);
    for (std::size_t extra = 0; extra < fit.proxies.size(); ++extra) {
        grid_.extra_host_of_[fit.proxies[extra]] = grid_.places_ + static_cast<std::int32_t>(extra);
    }
}

void GridBuilder::order_by_switches() {
    const LeafArrangement& leaves = grid_.leaves_;
    if (leaves.empty()) return;
    grid_.ranks_by_switches_.reserve(placement_.size());
    grid_.number_by_switches_.resize(placement_.size());
    for (int group = 0; group < leaves.leaves.parts(); ++group) {
        for (const std::int32_t leaf : leaves.leaves[group]) {
            for (const std::int32_t host : leaves.hosts[leaf]) {
                for (const std::int32_t rank : grid_.ranks_of_host(host)) {
                    grid_.number_by_switches_[rank] = static_cast<std::int32_t>(grid_.ranks_by_switches_.size());
                    grid_.ranks_by_switches_.push_back(rank);
                }
            }
        }
    }
}

void GridBuilder::look_up_by_leaf() {
    const int size = grid_.axes_[0].size;
    grid_.place_on_leaf_.assign(static_cast<std::size_t>(grid_.leaves_.hosts.parts()) * size, -1);
    for (int place = 0; place < grid_.places_; ++place) {
        grid_.place_on_leaf_[grid_.leaves_.leaf(place) * size + place % size] = place;
    }
}

}  // namespace coll_topo
