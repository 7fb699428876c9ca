// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/breadth_first/breadth_first.hpp"

#include "coll_topo/algorithm/breadth_first/port_shares.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace coll_topo {

/// Owners at one distance that the same ports reach on a shortest path.
struct BreadthFirst::Kind {
    std::uint32_t ports = 0;
    std::vector<std::int32_t> owners;
};

struct BreadthFirst::Round {
    std::vector<Kind> kinds;

    std::vector<UnitKind> units(int cuts) const {
        std::vector<UnitKind> units;
        for (const Kind& kind : kinds) units.push_back({kind.ports, static_cast<int>(kind.owners.size()) * cuts});
        return units;
    }
};

namespace {

std::vector<double> bandwidths(std::span<const HostLink> links) {
    std::vector<double> all;
    for (const HostLink& link : links) all.push_back(link.bandwidth);
    return all;
}

/// Where few cells are empty, a path across them that counted as one link would be a short cut that everyone takes;
/// where many are, there are so many such paths that they share the load better than the shortest ones do.
bool nearly_full(const Grid& grid) {
    constexpr double most_empty = 0.4;  // random hosts of 16x16: links are better with half of the cells empty
    return grid.hosts() >= (1 - most_empty) * static_cast<double>(grid.cells()->part().cells());
}

/// All hosts by their distance from one, and that one's ports on shortest paths to them.
struct Distances {
    std::vector<std::vector<std::int32_t>> hosts;  // by distance, 0 for the one itself
    std::vector<std::uint32_t> ports;              // by host

    Distances(const HostLinks& links, int from, bool by_cables) : hosts{{from}}, ports(links.hosts(), 0) {
        std::vector<std::int32_t> found(links.hosts(), std::numeric_limits<std::int32_t>::max());
        found[from] = 0;
        for (std::int32_t now = 0; now < static_cast<std::int32_t>(hosts.size()); ++now) {
            // A shorter path to some may have been found since.
            std::erase_if(hosts[now], [&](std::int32_t host) { return found[host] != now; });
            for (std::size_t i = 0; i < hosts[now].size(); ++i) {
                const std::int32_t host = hosts[now][i];
                std::uint32_t port = 1;
                for (const HostLink& link : links.of(host)) {
                    reach(link, now + (by_cables ? link.hops : 1), now == 0 ? port : ports[host], found);
                    port *= 2;
                }
            }
        }
    }

private:
    void reach(const HostLink& link, std::int32_t distance, std::uint32_t over, std::vector<std::int32_t>& found) {
        if (distance < found[link.host]) {
            found[link.host] = distance;
            ports[link.host] = 0;
            if (static_cast<std::size_t>(distance) >= hosts.size()) hosts.resize(distance + 1);
            hosts[distance].push_back(link.host);
        }
        if (distance == found[link.host]) ports[link.host] |= over;
    }
};

}  // namespace

std::string BreadthFirst::refusal(const Grid& grid) {
    constexpr int most_dimensions = 6;  // sets of ports are examined one by one
    const Torus& part = grid.cells()->part();
    const auto dimensions = std::ranges::count_if(part.dimensions(), [](const auto& d) { return d.size > 1; });
    if (dimensions > most_dimensions) return "it is for up to 6 dimensions";
    if (grid.hosts() == part.cells()) return {};
    const Distances distances(HostLinks(*grid.cells(), grid.hosts()), 0, false);
    std::size_t reached = 0;
    for (const auto& hosts : distances.hosts) reached += hosts.size();
    if (reached == static_cast<std::size_t>(grid.hosts())) return {};
    return "some of these hosts share no line of the torus with any of the others";
}

BreadthFirst::BreadthFirst(const Grid& grid, int most_cuts)
    : links_(*grid.cells(), grid.hosts()), by_cables_(nearly_full(grid)) {
    choose_cuts(most_cuts);
}

std::vector<BreadthFirst::Round> BreadthFirst::rounds(int host) const {
    Distances distances(links_, host, by_cables_);
    std::vector<Round> rounds(distances.hosts.size() - 1);
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        auto& owners = distances.hosts[round + 1];
        std::ranges::sort(owners, {}, [&](std::int32_t owner) { return std::pair(distances.ports[owner], owner); });
        for (const std::int32_t owner : owners) {
            std::vector<Kind>& kinds = rounds[round].kinds;
            if (kinds.empty() || kinds.back().ports != distances.ports[owner])
                kinds.push_back({distances.ports[owner], {}});
            kinds.back().owners.push_back(owner);
        }
    }
    return rounds;
}

int BreadthFirst::busiest_host() const {
    const auto bandwidth = [&](int host) {
        const auto links = links_.of(host);
        return std::accumulate(links.begin(), links.end(), 0.0,
                               [](double sum, const HostLink& link) { return sum + link.bandwidth; });
    };
    int busiest = 0;
    for (int host = 1; host < links_.hosts(); ++host) {
        if (bandwidth(host) < bandwidth(busiest)) busiest = host;
    }
    return busiest;
}

void BreadthFirst::choose_cuts(int most_cuts) {
    constexpr double even_enough = 1.0005;
    const int host = busiest_host();
    const std::vector<Round> all = rounds(host);
    const std::vector<double> bandwidth = bandwidths(links_.of(host));
    double least = 0, best = 0;
    for (const Round& round : all) least += least_time(round.units(1), bandwidth);
    for (int cuts = 1; cuts <= most_cuts; ++cuts) {
        double time = 0;
        for (const Round& round : all) time += share_out(round.units(cuts), bandwidth).time / cuts;
        if (cuts > 1 && time >= best) continue;
        best = time;
        cuts_ = cuts;
        if (best <= even_enough * least) return;
    }
}

BreadthFirst::Table BreadthFirst::table(int host) const {
    const std::vector<double> bandwidth = bandwidths(links_.of(host));
    Table table;
    table.ports_ = static_cast<int>(bandwidth.size());
    for (const Round& round : rounds(host)) {
        const auto shares = share_out(round.units(cuts_), bandwidth).units;
        std::vector<int> taken(round.kinds.size(), 0);  // of each kind, over the ports one after the other
        for (int port = 0; port < table.ports_; ++port) {
            for (std::size_t kind = 0; kind < round.kinds.size(); ++kind) {
                for (const int end = taken[kind] + shares[kind][port]; taken[kind] < end;) {
                    const int first = taken[kind] % cuts_, count = std::min(cuts_ - first, end - taken[kind]);
                    table.arrivals_.push_back({round.kinds[kind].owners[taken[kind] / cuts_],
                                               static_cast<std::int16_t>(first), static_cast<std::int16_t>(count)});
                    taken[kind] += count;
                }
            }
            // So that messages that travel at once, one over each port, are about equally long.
            std::stable_sort(table.arrivals_.begin() + table.begin_.back(), table.arrivals_.end(),
                             [](const Arrival& a, const Arrival& b) { return a.count > b.count; });
            table.begin_.push_back(static_cast<std::int32_t>(table.arrivals_.size()));
        }
    }
    return table;
}

}  // namespace coll_topo
