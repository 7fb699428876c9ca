// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/placement/grid.hpp"

#include "coll_topo/placement/box.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coll_topo {

/// Builds a grid from a placement, one aspect at a time.
class GridBuilder {
public:
    GridBuilder(const Fabric& fabric, const Placement& placement) : fabric_(fabric), placement_(placement) {}

    Grid run_torus(const Torus& torus) {
        collect_hosts([&](int host) { return fabric_.cell(host); });
        box_ = find_box(torus, cells_);
        if (box_.members.empty()) {
            stand_in_line("line");
        } else {
            make_axes(torus);
        }
        return finish(&torus);
    }

    Grid run_switches(const SwitchGraph& graph) {
        collect_hosts([&](int host) { return std::int64_t{graph.leaf_of_host[host]} << 32 | host; });
        box_.surplus.resize(cells_.size());
        std::iota(box_.surplus.begin(), box_.surplus.end(), 0);
        const Partition hosts = arrange_leaves(fabric_, fabric_hosts_).hosts;
        stand_in_line("hosts");
        if (hosts.smallest() == hosts.largest() && hosts.parts() > 1 && hosts.smallest() > 1) {
            Axis leaves = grid_.axes_.front();
            leaves.name = "leaves";
            leaves.size = hosts.parts();
            grid_.axes_.front().size = hosts.smallest();
            grid_.axes_.push_back(leaves);
        }
        return finish(nullptr);
    }

    Grid run_line() {
        const auto* graph = std::get_if<SwitchGraph>(&fabric_.network);
        collect_hosts([&](int host) {
            return graph == nullptr ? fabric_.cell(host) : std::int64_t{graph->leaf_of_host[host]} << 32 | host;
        });
        box_.surplus.resize(cells_.size());
        std::iota(box_.surplus.begin(), box_.surplus.end(), 0);
        stand_in_line("hosts");
        return finish(nullptr);
    }

private:
    Grid finish(const Torus* torus) {
        number_hosts();
        arrange();
        fill_boards();
        prefer_aggregators();
        if (torus != nullptr) adopt_surplus(*torus);
        return std::move(grid_);
    }

    /// Numbers the hosts in use by first appearance, for a start. `cell_of` orders them.
    template <typename CellOf>
    void collect_hosts(CellOf&& cell_of) {
        std::vector<std::int32_t> number_of(fabric_.hosts.size(), -1);
        host_of_rank_.reserve(placement_.size());
        for (const RankLocation& location : placement_) {
            std::int32_t& number = number_of[location.host];
            if (number < 0) {
                number = static_cast<std::int32_t>(cells_.size());
                cells_.push_back(cell_of(location.host));
                fabric_hosts_.push_back(location.host);
            }
            host_of_rank_.push_back(number);
        }
    }

    /// Renumbers the hosts by box and surplus.
    void number_hosts() {
        grid_.places_ = static_cast<int>(box_.members.size());
        std::vector<std::int32_t> new_number(cells_.size());
        std::int32_t next = 0;
        for (const auto* group : {&box_.members, &box_.surplus}) {
            for (const std::int32_t host : *group) new_number[host] = next++;
        }
        for (const std::int32_t host : host_of_rank_) grid_.host_of_rank_.push_back(new_number[host]);
    }

    void arrange() {
        std::vector<std::int32_t> renumbered(fabric_hosts_.size());
        for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
            renumbered[grid_.host_of_rank_[rank]] = placement_[rank].host;
        }
        grid_.leaves_ = arrange_leaves(fabric_, renumbered);
    }

    void make_axes(const Torus& torus) {
        for (std::size_t d = 0; d < torus.dimensions().size(); ++d) {
            const TorusDimension& dimension = torus.dimensions()[d];
            const int size = static_cast<int>(box_.coordinates[d].size());
            if (size == 1) continue;
            const bool wrapped = dimension.wrapped && size == dimension.size;
            const int cables = wrapped && size == 2 ? 2 : 1;
            grid_.axes_.push_back({axis_name(d), size, wrapped, dimension.bandwidth * cables, dimension.latency});
        }
    }

    static std::string axis_name(std::size_t dimension) {
        return dimension < 4 ? std::string(1, "xyzw"[dimension]) : "d" + std::to_string(dimension);
    }

    void stand_in_line(const char* name) {
        std::swap(box_.members, box_.surplus);
        std::sort(box_.members.begin(), box_.members.end(),
                  [&](std::int32_t a, std::int32_t b) { return cells_[a] < cells_[b]; });
        Axis line{name, static_cast<int>(cells_.size()), false, 0, 0};
        const auto slow_down = [&line](double bandwidth, double latency) {
            if (bandwidth > 0 && (line.bandwidth == 0 || bandwidth < line.bandwidth)) line.bandwidth = bandwidth;
            line.latency = std::max(line.latency, latency);
        };
        if (const Torus* torus = fabric_.torus()) {
            for (const TorusDimension& dimension : torus->dimensions()) {
                slow_down(dimension.bandwidth, dimension.latency);
            }
        } else {
            slow_down(fabric_.host_bandwidth, fabric_.host_latency);
            for (const SwitchLink& link : std::get<SwitchGraph>(fabric_.network).links) {
                slow_down(link.bandwidth, link.latency);
            }
        }
        if (line.size > 1) grid_.axes_.push_back(line);
    }

    void fill_boards() {
        const std::size_t hosts = cells_.size();
        grid_.board_begin_.assign(hosts + 1, 0);
        for (const std::int32_t host : grid_.host_of_rank_) ++grid_.board_begin_[host + 1];
        std::partial_sum(grid_.board_begin_.begin(), grid_.board_begin_.end(), grid_.board_begin_.begin());
        grid_.board_.resize(placement_.size());
        grid_.board_index_of_rank_.resize(placement_.size());
        std::vector<std::int32_t> filled(hosts, 0);
        for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
            const std::int32_t host = grid_.host_of_rank_[rank];
            grid_.board_index_of_rank_[rank] = filled[host];
            grid_.board_[grid_.board_begin_[host] + filled[host]++] = static_cast<std::int32_t>(rank);
        }
        const auto [smallest, largest] = std::minmax_element(filled.begin(), filled.end());
        grid_.smallest_board_ = *smallest;
        grid_.largest_board_ = *largest;
    }

    /// Orders each board so that the first of every memory domain come first, then the second of every domain …
    void prefer_aggregators() {
        int fewest_domains = grid_.smallest_board_;
        std::vector<std::int32_t> preference;
        preference.reserve(grid_.board_.size());
        int domains = 0;
        std::vector<std::pair<int, std::int32_t>> turns;  // how many of its domain come before, board index
        bool in_order = true;
        for (int host = 0; host < grid_.hosts(); ++host) {
            const auto board = grid_.board(host);
            domains = 0;
            turns.clear();
            for (std::size_t i = 0; i < board.size(); ++i) {
                const std::uint16_t domain = placement_[board[i]].numa;
                const auto before = std::count_if(board.begin(), board.begin() + static_cast<std::ptrdiff_t>(i),
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
        grid_.natural_aggregators_ = fewest_domains > 1 ? fewest_domains : grid_.smallest_board_;
    }

    /// Every surplus host goes to the box host nearest to it by clamped coordinates, or the next one that is free.
    void adopt_surplus(const Torus& torus) {
        if (box_.surplus.empty()) return;
        grid_.adopted_.assign(grid_.places_, -1);
        for (std::size_t s = 0; s < box_.surplus.size(); ++s) {
            int place = nearest_place(torus, cells_[box_.surplus[s]]);
            while (grid_.adopted_[place] >= 0) place = (place + 1) % grid_.places_;
            grid_.adopted_[place] = grid_.places_ + static_cast<std::int32_t>(s);
            grid_.adopter_.push_back(place);
        }
    }

    int nearest_place(const Torus& torus, std::int64_t cell) const {
        int place = 0, stride = 1;
        for (std::size_t d = 0; d < box_.coordinates.size(); ++d) {
            const auto& chosen = box_.coordinates[d];
            const auto at = std::lower_bound(chosen.begin(), chosen.end(), torus.coordinate(cell, static_cast<int>(d)));
            const auto nearest = at == chosen.end() ? chosen.end() - 1 : at;
            place += static_cast<int>(nearest - chosen.begin()) * stride;
            stride *= static_cast<int>(chosen.size());
        }
        return place;
    }

    const Fabric& fabric_;
    const Placement& placement_;
    Box box_;
    std::vector<std::int64_t> cells_;         // by host as first numbered
    std::vector<std::int32_t> fabric_hosts_;  // as first numbered
    std::vector<std::int32_t> host_of_rank_;  // as first numbered
    Grid grid_;
};

namespace {

Expected<void> check_hosts(const Fabric& fabric, const Placement& placement) {
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        if (placement[rank].host < 0 || placement[rank].host >= fabric.hosts.size()) {
            return failure("the host of rank " + std::to_string(rank) + " is not in the topology file");
        }
    }
    if (placement.empty()) return failure("there are no ranks to place");
    return {};
}

}  // namespace

Expected<Grid> Grid::from_torus(const Fabric& fabric, const Placement& placement) {
    const Torus* torus = fabric.torus();
    if (torus == nullptr) return failure("the topology is not a torus or mesh: there is no schedule for it");
    if (auto known = check_hosts(fabric, placement); !known) return tl::unexpected<Error>(known.error());
    return GridBuilder(fabric, placement).run_torus(*torus);
}

Expected<Grid> Grid::from_switches(const Fabric& fabric, const Placement& placement) {
    const auto* graph = std::get_if<SwitchGraph>(&fabric.network);
    if (graph == nullptr) return failure("the topology has no switches");
    if (auto known = check_hosts(fabric, placement); !known) return tl::unexpected<Error>(known.error());
    return GridBuilder(fabric, placement).run_switches(*graph);
}

Expected<Grid> Grid::from_fabric(const Fabric& fabric, const Placement& placement) {
    return fabric.torus() != nullptr ? from_torus(fabric, placement) : from_switches(fabric, placement);
}

Expected<Grid> Grid::line_of_hosts(const Fabric& fabric, const Placement& placement) {
    if (auto known = check_hosts(fabric, placement); !known) return tl::unexpected<Error>(known.error());
    return GridBuilder(fabric, placement).run_line();
}

int Grid::aggregator_index(int host, int number, int aggregators) const {
    const bool all = aggregators == board_begin_[host + 1] - board_begin_[host];
    return all || preference_.empty() ? number : preference_[board_begin_[host] + number];
}

int Grid::aggregator_number(int rank, int aggregators) const {
    for (int number = 0; number < aggregators; ++number) {
        if (aggregator_index(host_of_rank_[rank], number, aggregators) == board_index_of_rank_[rank]) return number;
    }
    return -1;
}

std::string Grid::summary() const {
    std::string text;
    for (const Axis& axis : axes_) text += (text.empty() ? "" : "x") + std::to_string(axis.size);
    if (axes_.empty()) text = "1";
    text += places_ == 1 ? " host" : " hosts";
    if (axes_.size() == 1 && axes_[0].name == "line") text += " in a line (they fill no box)";
    text += ", " + std::to_string(smallest_board_);
    if (largest_board_ != smallest_board_) text += " to " + std::to_string(largest_board_);
    text += largest_board_ == 1 ? " rank each" : " ranks each";
    if (surplus() > 0) text += ", " + std::to_string(surplus()) + (surplus() == 1 ? " surplus host" : " surplus hosts");
    return text;
}

}  // namespace coll_topo
