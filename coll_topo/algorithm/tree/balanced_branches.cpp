// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/balanced_branches.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace coll_topo {
namespace {

int ranks_of_place(const Grid& grid, int place) {
    const int extra = grid.extra_host_of(place);
    const auto ranks = grid.ranks_of_host(place).size() + (extra < 0 ? 0 : grid.ranks_of_host(extra).size());
    return static_cast<int>(ranks);
}

}  // namespace

BalancedBranches::BalancedBranches(const Grid& grid, int root_place)
    : grid_(grid), root_(root_place), parent_(grid.places(), -1), branch_(grid.places(), -1) {
    std::vector<std::vector<int>> layers;
    for (int place = 0; place < grid.places(); ++place) {
        const auto at = static_cast<std::size_t>(distance(place));
        if (at >= layers.size()) layers.resize(at + 1);
        layers[at].push_back(place);
    }
    for (std::size_t depth = 1; depth < layers.size(); ++depth) place_layer(layers[depth], static_cast<int>(depth));
}

int BalancedBranches::hops(int place, int axis) const {
    const Axis& along = grid_.axes()[axis];
    const int apart = std::abs(grid_.coordinate(place, axis) - grid_.coordinate(root_, axis));
    return along.wrapped ? std::min(apart, along.size - apart) : apart;
}

int BalancedBranches::distance(int place) const {
    int sum = 0;
    for (int axis = 0; axis < static_cast<int>(grid_.axes().size()); ++axis) sum += hops(place, axis);
    return sum;
}

void BalancedBranches::append_nearer(int place, std::vector<int>& neighbours) const {
    for (int axis = 0; axis < static_cast<int>(grid_.axes().size()); ++axis) {
        const Axis& along = grid_.axes()[axis];
        const int own = grid_.coordinate(place, axis), left = hops(place, axis);
        for (const int step : {1, -1}) {
            if (!along.wrapped && (own + step < 0 || own + step >= along.size)) continue;
            const int neighbour = grid_.along(place, axis, (own + step + along.size) % along.size);
            if (hops(neighbour, axis) >= left) continue;
            if (neighbours.empty() || neighbours.back() != neighbour) neighbours.push_back(neighbour);
        }
    }
}

void BalancedBranches::add_branch(int place) {
    const auto axes = static_cast<int>(grid_.axes().size());
    int axis = 0;
    while (axis < axes - 1 && hops(place, axis) == 0) ++axis;
    branch_[place] = static_cast<std::int32_t>(branches_.size());
    branches_.push_back({&grid_.axes()[axis]});
}

void BalancedBranches::join(int place, int parent) {
    parent_[place] = parent;
    if (parent != root_) branch_[place] = branch_[parent];
    Branch& branch = branches_[branch_[place]];
    branch.ranks += ranks_of_place(grid_, place);
    branch.depth = distance(place);
}

void BalancedBranches::place_layer(const std::vector<int>& layer, int depth) {
    std::vector<std::pair<std::vector<int>, int>> choices;
    for (const int place : layer) {
        if (depth == 1) {
            add_branch(place);
            join(place, root_);
            continue;
        }
        std::vector<int> neighbours;
        append_nearer(place, neighbours);
        choices.emplace_back(std::move(neighbours), place);
    }
    const auto branches_to_choose = [&](const std::pair<std::vector<int>, int>& choice) {
        std::vector<int> found;
        for (const int neighbour : choice.first) found.push_back(branch_[neighbour]);
        std::ranges::sort(found);
        return std::ranges::unique(found).begin() - found.begin();
    };
    std::ranges::stable_sort(choices, {}, branches_to_choose);
    for (const auto& [neighbours, place] : choices) {
        const auto load = [&](int neighbour) {
            const Branch& branch = branches_[branch_[neighbour]];
            return branch.ranks / branch.axis->message_bandwidth();
        };
        join(place, *std::ranges::min_element(neighbours, {}, load));
    }
}

}  // namespace coll_topo
