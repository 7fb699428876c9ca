// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/mixed_radix.hpp"
#include "coll_topo/grid/box_fit.hpp"
#include "coll_topo/grid/exchange_bandwidth.hpp"
#include "coll_topo/grid/leaf_shape.hpp"
#include "coll_topo/grid/most_equal.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

/// The hosts in use by leaf, leaves and hosts in the order of the file.
struct HostsByLeaf {
    HostsByLeaf(const SwitchGraph& graph, const HostsInUse& in_use) {
        std::vector<std::int32_t> number(graph.switches.size(), -1);
        for (const std::int32_t host : in_use.hosts) number[graph.leaf_of_host[host]] = 0;
        for (std::size_t index = 0; index < number.size(); ++index) {
            if (number[index] < 0) continue;
            number[index] = static_cast<std::int32_t>(switches.size());
            switches.push_back(static_cast<std::int32_t>(index));
        }
        hosts.resize(switches.size());
        for (std::size_t host = 0; host < in_use.hosts.size(); ++host) {
            hosts[number[graph.leaf_of_host[in_use.hosts[host]]]].push_back(static_cast<std::int32_t>(host));
        }
        for (auto& members : hosts) {
            std::ranges::sort(members, {}, [&](std::int32_t host) { return in_use.hosts[host]; });
        }
    }

    std::vector<std::int32_t> switches;            // by leaf
    std::vector<std::vector<std::int32_t>> hosts;  // by leaf: indices into HostsInUse::hosts
};

/// Measures the shapes in which the leaves can stand, and chooses one.
class BoxSearch {
public:
    BoxSearch(const Fabric& fabric, const SwitchGraph& graph, const HostsInUse& in_use)
        : graph_(graph), in_use_(in_use), network_(fabric), by_leaf_(graph, in_use) {
        std::vector<int> sizes;
        for (const auto& hosts : by_leaf_.hosts) sizes.push_back(static_cast<int>(hosts.size()));
        box_ = most_equal(sizes);
        std::vector<std::int32_t> switches;
        for (std::size_t leaf = 0; leaf < sizes.size(); ++leaf) {
            if (sizes[leaf] < box_.size) continue;
            kept_.push_back(static_cast<std::int32_t>(leaf));
            kept_switches_.push_back(by_leaf_.switches[leaf]);
        }
    }

    bool fills_a_box() const { return holds_most(box_.size * box_.parts); }

    /// The first shape that is hardly slower than the fastest.
    BoxFit run() {
        BoxFit best;
        double best_seconds = 0;
        for (const LeafShape& shape : leaf_shapes(graph_, kept_switches_, box_.size)) {
            constexpr double hardly = 1.02;
            if (!holds_most(shape.size() * box_.size)) continue;
            BoxFit fit = fit_shape(shape);
            const double seconds = seconds_per_byte(fit);
            if (!best.places.empty() && seconds * hardly > best_seconds) continue;
            best = std::move(fit);
            best_seconds = seconds;
            if (best_seconds <= hardly * port_seconds_per_byte(best)) break;
        }
        return best;
    }

    void measure(Axis& axis, const Lines& lines) {
        const ExchangeBandwidth measured = exchange_bandwidth(network_, graph_, lines);
        axis.switched = true;
        axis.bandwidth = measured.with_all;
        axis.pair_bandwidth = measured.with_one;
        axis.latency = measured.latency;
    }

private:
    bool holds_most(int places) const { return std::size_t{2} * places > in_use_.hosts.size(); }

    BoxFit fit_shape(const LeafShape& shape) {
        const int leaves = shape.size(), per_leaf = box_.size;
        BoxFit fit;
        fit.skewed = shape.skewed;
        std::vector<std::int32_t> leaf_of_place, hosts;
        for (int position = 0; position < leaves; ++position) {
            for (int number = 0; number < per_leaf; ++number) {
                const std::int32_t leaf = kept_[shape.leaf(number, position)];
                leaf_of_place.push_back(leaf);
                fit.places.push_back(by_leaf_.hosts[leaf][number]);
                hosts.push_back(in_use_.hosts[fit.places.back()]);
            }
        }
        if (per_leaf > 1) add_axis_of_hosts(fit, leaf_of_place, hosts);
        int stride = per_leaf;
        for (const LeafShape::Side& side : shape.sides) {
            Axis axis{side.name, side.size};
            const auto coordinate = [&](int place) { return digit(place, stride, side.size); };
            const auto along = [&](int place, int to) { return with_digit(place, stride, side.size, to); };
            measure(axis, {hosts, side.size, coordinate, along});
            fit.axes.push_back(axis);
            stride *= side.size;
        }
        add_extra_hosts(fit, leaf_of_place);
        return fit;
    }

    void add_axis_of_hosts(BoxFit& fit, const std::vector<std::int32_t>& leaf_of_place,
                           const std::vector<std::int32_t>& hosts) {
        const int size = box_.size;
        std::vector<std::int32_t> place_on_leaf(by_leaf_.switches.size() * size);
        for (std::size_t place = 0; place < leaf_of_place.size(); ++place) {
            place_on_leaf[leaf_of_place[place] * size + place % size] = static_cast<std::int32_t>(place);
        }
        Axis axis{"hosts", size};
        const auto coordinate = [size](int place) { return place % size; };
        const auto along = [&](int place, int to) { return place_on_leaf[leaf_of_place[place] * size + to]; };
        measure(axis, {hosts, size, coordinate, along});
        fit.axes.push_back(axis);
    }

    /// Hosts that are no place are served by places of their leaf, then by any, on as many lines of the first axis as
    /// there are before two are on one.
    void add_extra_hosts(BoxFit& fit, const std::vector<std::int32_t>& leaf_of_place) const {
        std::vector<bool> is_place(in_use_.hosts.size(), false), taken(fit.places.size(), false);
        for (const std::int32_t host : fit.places) is_place[host] = true;
        std::vector<std::int32_t> unplaced;
        const auto assign_proxy = [&](std::int32_t host, std::int32_t place) {
            taken[place] = true;
            fit.extra_hosts.push_back(host);
            fit.proxies.push_back(place);
        };
        std::vector<std::vector<std::int32_t>> places_on_leaf(by_leaf_.switches.size());
        for (int place = static_cast<int>(leaf_of_place.size()) - 1; place >= 0; --place) {
            places_on_leaf[leaf_of_place[place]].push_back(place);
        }
        for (std::size_t leaf = 0; leaf < by_leaf_.hosts.size(); ++leaf) {
            for (const std::int32_t host : by_leaf_.hosts[leaf]) {
                if (is_place[host]) continue;
                if (places_on_leaf[leaf].empty()) {
                    unplaced.push_back(host);
                    continue;
                }
                assign_proxy(host, places_on_leaf[leaf].back());
                places_on_leaf[leaf].pop_back();
            }
        }
        const int line = fit.axes.empty() ? 1 : fit.axes[0].size;
        const int lines = static_cast<int>(fit.places.size()) / line;
        int turn = 0;  // all lines' first places, then all their second ones, …
        for (const std::int32_t host : unplaced) {
            while (taken[turn / lines + turn % lines * line]) ++turn;
            assign_proxy(host, turn / lines + turn % lines * line);
        }
    }

    /// What halving would take: each axis moves what is left of the data before it, to all others of a line.
    double seconds_per_byte(const BoxFit& fit) const {
        double seconds = 0, left = 1;
        for (const Axis& axis : fit.axes) {
            const double bandwidth =
                axis.undivided() || axis.pair_bandwidth == 0 ? axis.bandwidth : axis.pair_bandwidth;
            if (bandwidth > 0) seconds += left * (1 - 1.0 / axis.size) / bandwidth;
            left /= axis.size;
        }
        if (fit.extra_hosts.empty() || fit.axes[0].bandwidth == 0) return seconds;
        // The data of an extra host come in as many parts as its line has places.
        const auto extra_share = static_cast<double>(fit.extra_hosts.size()) / static_cast<double>(fit.places.size());
        return seconds + std::max(extra_share, 1.0 / fit.axes[0].size) / fit.axes[0].bandwidth;
    }

    /// The same if only the ports of hosts limited it; 0 where that is not known.
    static double port_seconds_per_byte(const BoxFit& fit) {
        double fastest = 0;
        for (const Axis& axis : fit.axes) fastest = std::max(fastest, axis.bandwidth);
        return fastest > 0 ? (1 - 1.0 / static_cast<double>(fit.places.size())) / fastest : 0;
    }

    const SwitchGraph& graph_;
    const HostsInUse& in_use_;
    LinkGraph network_;
    HostsByLeaf by_leaf_;
    MostEqual box_;
    std::vector<std::int32_t> kept_;           // leaves with enough hosts
    std::vector<std::int32_t> kept_switches_;  // as switches
};

}  // namespace

BoxFit fit_on_switches(const Fabric& fabric, const SwitchGraph& graph, const HostsInUse& in_use) {
    BoxSearch search(fabric, graph, in_use);
    if (search.fills_a_box()) return search.run();
    BoxFit line = fit_in_line(fabric, in_use);
    std::vector<std::int32_t> hosts;
    for (const std::int32_t host : line.places) hosts.push_back(in_use.hosts[host]);
    const auto coordinate = [](int place) { return place; };
    const auto along = [](int, int to) { return to; };
    search.measure(line.axes[0], {hosts, line.axes[0].size, coordinate, along});
    return line;
}

}  // namespace coll_topo
