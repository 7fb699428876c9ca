// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/box_fit.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace coll_topo {
namespace {

/// While all hosts of a line in a torus send to the next one or the one before: messages on the busiest link, and the
/// links of the longest way and of the mean one.
struct LineLoad {
    int messages = 1;
    int hops = 1;
    double mean_hops = 1;
};

LineLoad load_of_line(const Torus& torus, const std::vector<std::int64_t>& cells) {
    LineLoad load;
    std::unordered_map<std::int64_t, int> messages;
    std::vector<std::int64_t> links;
    std::size_t all_hops = 0;
    const auto send = [&](std::int64_t from, std::int64_t to) {
        links.clear();
        torus.route(from, to, links);
        load.hops = std::max(load.hops, static_cast<int>(links.size()));
        all_hops += links.size();
        for (const std::int64_t link : links) load.messages = std::max(load.messages, ++messages[link]);
    };
    for (std::size_t i = 1; i < cells.size(); ++i) send(cells[i - 1], cells[i]);
    messages.clear();
    for (std::size_t i = 1; i < cells.size(); ++i) send(cells[i], cells[i - 1]);
    if (cells.size() > 1)
        load.mean_hops = static_cast<double>(all_hops) / (2.0 * static_cast<double>(cells.size() - 1));
    return load;
}

}  // namespace

HostsInUse::HostsInUse(const Fabric& fabric, const Placement& placement) {
    std::vector<std::int32_t> number_of(fabric.hosts.size(), -1);
    of_rank.reserve(placement.size());
    for (const RankLocation& location : placement) {
        std::int32_t& number = number_of[location.host];
        if (number < 0) {
            number = static_cast<std::int32_t>(hosts.size());
            hosts.push_back(location.host);
        }
        of_rank.push_back(number);
    }
}

BoxFit fit_in_line(const Fabric& fabric, const HostsInUse& in_use) {
    const auto* graph = std::get_if<SwitchGraph>(&fabric.network);
    const auto key = [&](std::int32_t host) {
        const std::int32_t of_fabric = in_use.hosts[host];
        return graph == nullptr ? fabric.cell(of_fabric)
                                : std::int64_t{graph->leaf_of_host[of_fabric]} << 32 | of_fabric;
    };
    BoxFit fit;
    fit.places.resize(in_use.hosts.size());
    std::iota(fit.places.begin(), fit.places.end(), 0);
    std::sort(fit.places.begin(), fit.places.end(), [&](auto a, auto b) { return key(a) < key(b); });

    Axis line;
    line.name = "line";
    line.size = static_cast<int>(in_use.hosts.size());
    const auto slow_down = [&line](double bandwidth, double latency) {
        if (bandwidth > 0 && (line.bandwidth == 0 || bandwidth < line.bandwidth)) line.bandwidth = bandwidth;
        line.latency = std::max(line.latency, latency);
    };
    if (graph == nullptr) {
        for (const TorusDimension& dimension : fabric.torus()->dimensions()) {
            slow_down(dimension.bandwidth, dimension.latency);
        }
        std::vector<std::int64_t> cells;
        for (const std::int32_t host : fit.places) cells.push_back(key(host));
        const LineLoad load = load_of_line(*fabric.torus(), cells);
        line.bandwidth /= load.messages;
        line.latency *= load.hops;
        line.mean_way = load.mean_hops / load.hops;
        line.start_latency = fabric.start_latency();
    } else {
        slow_down(fabric.host_bandwidth, fabric.host_latency);
        for (const SwitchLink& link : graph->links) slow_down(link.bandwidth, link.latency);
    }
    if (line.size > 1) fit.axes.push_back(line);
    return fit;
}

}  // namespace coll_topo
