// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/given_torus.hpp"

#include "coll_topo/input/host_match.hpp"
#include "coll_topo/input/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace coll_topo::importing {

namespace {

/// The dimensions of `torus` in another order.
SwitchTorus in_order(const SwitchTorus& torus, const std::vector<std::size_t>& order) {
    SwitchTorus sorted;
    for (const std::size_t d : order) {
        sorted.sizes.push_back(torus.sizes[d]);
        sorted.wrapped.push_back(torus.wrapped[d]);
    }
    for (const auto& cell : torus.coordinates) {
        sorted.coordinates.emplace_back();
        for (const std::size_t d : order) sorted.coordinates.back().push_back(cell[d]);
    }
    return sorted;
}

/// The dimension in which alone two switches differ; the number of dimensions if there is none.
std::size_t dimension_between(const SwitchTorus& torus, int from, int to) {
    const auto &a = torus.coordinates[from], &b = torus.coordinates[to];
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    return x != a.end() && std::equal(x + 1, a.end(), y + 1) ? static_cast<std::size_t>(x - a.begin()) : a.size();
}

/// Whether a seed leads as it says; between two switches, either direction does.
bool is_along(const SwitchTorus& torus, const SeedCable& seed) {
    const std::size_t d = seed.dimension;
    int from = torus.coordinates[seed.from][d], to = torus.coordinates[seed.to][d];
    if (!seed.is_positive) std::swap(from, to);
    return torus.sizes[d] == 2 || to == from + 1 || (torus.wrapped[d] && to == 0 && from == torus.sizes[d] - 1);
}

/// Turns dimensions round where their seeds lead backwards, and begins to count at the seeds.
void turn(SwitchTorus& torus, std::span<const SeedCable> seeds) {
    std::vector<char> is_turned(torus.sizes.size(), 0);
    for (const SeedCable& seed : seeds) {
        const std::size_t d = seed.dimension;
        if (is_turned[d] != 0) continue;
        is_turned[d] = 1;
        const int size = torus.sizes[d];
        const bool is_backwards = !is_along(torus, seed);
        for (auto& cell : torus.coordinates) cell[d] = is_backwards ? size - 1 - cell[d] : cell[d];
        const int begin = torus.wrapped[d] ? torus.coordinates[seed.from][d] : 0;
        for (auto& cell : torus.coordinates) cell[d] = (cell[d] - begin + size) % size;
    }
}

/// Which dimensions are those that are given. Two switches side by side are a mesh and a torus.
std::optional<std::vector<std::size_t>> order_of(const SwitchTorus& torus, const GivenTorus& given,
                                                 std::span<const SeedCable> seeds) {
    const std::size_t count = torus.sizes.size();
    if (count != given.sizes.size()) return std::nullopt;
    std::vector<std::size_t> order(count, count);
    const auto take = [&](std::size_t wanted, std::size_t d) {
        const bool same =
            torus.sizes[d] == given.sizes[wanted] && (torus.sizes[d] == 2 || torus.wrapped[d] == given.wrapped[wanted]);
        if (!same || std::find(order.begin(), order.end(), d) != order.end()) return false;
        order[wanted] = d;
        return true;
    };
    for (const SeedCable& seed : seeds) {
        const std::size_t d = dimension_between(torus, seed.from, seed.to);
        if (d == count || (order[seed.dimension] != d && (order[seed.dimension] != count || !take(seed.dimension, d))))
            return std::nullopt;
    }
    for (std::size_t wanted = 0; wanted < count; ++wanted) {
        for (std::size_t d = 0; order[wanted] == count && d < count; ++d) take(wanted, d);
        if (order[wanted] == count) return std::nullopt;
    }
    return order;
}

}  // namespace

std::vector<SeedCable> seed_cables(Wiring& wiring, const GivenTorus& given) {
    std::unordered_map<std::string, int> switch_of_name;
    for (std::size_t i = 0; i < wiring.switches.size(); ++i) switch_of_name[wiring.switches[i]] = static_cast<int>(i);
    const auto find = [&](const TorusSeed& seed, const std::string& guid) {
        const auto name = wiring.switch_of_address.find(plain_address(guid));
        const auto found =
            name == wiring.switch_of_address.end() ? switch_of_name.end() : switch_of_name.find(name->second);
        if (found != switch_of_name.end()) return found->second;
        wiring.notes.push_back(
            {"switch " + in_quotes(guid) + " is not in the network: this seed is left out", seed.where});
        return -1;
    };
    std::vector<SeedCable> cables;
    for (const TorusSeed& seed : given.seeds) {
        const int from = find(seed, seed.from);
        const int to = from < 0 ? -1 : find(seed, seed.to);
        if (to >= 0) cables.push_back({from, to, seed.dimension, seed.is_positive});
    }
    return cables;
}

std::optional<SwitchTorus> as_given(const SwitchTorus& torus, const GivenTorus& given,
                                    std::span<const SeedCable> seeds) {
    const auto order = order_of(torus, given, seeds);
    if (!order) return std::nullopt;
    SwitchTorus sorted = in_order(torus, *order);
    turn(sorted, seeds);
    const bool agree =
        std::all_of(seeds.begin(), seeds.end(), [&](const auto& seed) { return is_along(sorted, seed); });
    return agree ? std::optional(std::move(sorted)) : std::nullopt;
}

SwitchTorus largest_first(const SwitchTorus& torus) {
    std::vector<std::size_t> order(torus.sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return torus.sizes[a] > torus.sizes[b]; });
    return in_order(torus, order);
}

std::string shape_text(const std::vector<int>& sizes, const std::vector<bool>& wrapped) {
    std::string letters;
    for (const bool yes : wrapped) letters += yes ? 'y' : 'n';
    return fmt::format("{}, wrapped {}", fmt::join(sizes, "x"), letters);
}

}  // namespace coll_topo::importing
