// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/placement/grid.hpp"

#include "coll_topo/placement/box.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coll_topo {

/// Builds a grid from a torus placement, one aspect at a time.
class GridBuilder {
public:
    GridBuilder(const Fabric& fabric, const Torus& torus, const Placement& placement)
        : fabric_(fabric), torus_(torus), placement_(placement) {}

    Grid run() {
        collect_hosts();
        place_hosts();
        fill_boards();
        prefer_aggregators();
        adopt_surplus();
        return std::move(grid_);
    }

private:
    /// Numbers the hosts in use by first appearance, for a start.
    void collect_hosts() {
        std::vector<std::int32_t> number_of(fabric_.hosts.size(), -1);
        host_of_rank_.reserve(placement_.size());
        for (const RankLocation& location : placement_) {
            std::int32_t& number = number_of[location.host];
            if (number < 0) {
                number = static_cast<std::int32_t>(cells_.size());
                cells_.push_back(fabric_.cell(location.host));
            }
            host_of_rank_.push_back(number);
        }
    }

    /// Decides box and surplus and renumbers the hosts accordingly.
    void place_hosts() {
        box_ = find_box(torus_, cells_);
        if (box_.members.empty()) {
            stand_in_line();
        } else {
            make_axes();
        }
        grid_.places_ = static_cast<int>(box_.members.size());
        std::vector<std::int32_t> new_number(cells_.size());
        std::int32_t next = 0;
        for (const auto* group : {&box_.members, &box_.surplus}) {
            for (const std::int32_t host : *group) new_number[host] = next++;
        }
        for (const std::int32_t host : host_of_rank_) grid_.host_of_rank_.push_back(new_number[host]);
    }

    void make_axes() {
        for (std::size_t d = 0; d < torus_.dimensions().size(); ++d) {
            const TorusDimension& dimension = torus_.dimensions()[d];
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

    void stand_in_line() {
        std::swap(box_.members, box_.surplus);
        std::sort(box_.members.begin(), box_.members.end(),
                  [&](std::int32_t a, std::int32_t b) { return cells_[a] < cells_[b]; });
        Axis line{"line", static_cast<int>(cells_.size()), false, torus_.dimensions()[0].bandwidth, 0};
        for (const TorusDimension& dimension : torus_.dimensions()) {
            line.bandwidth = std::min(line.bandwidth, dimension.bandwidth);
            line.latency = std::max(line.latency, dimension.latency);
        }
        grid_.axes_.push_back(line);
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
    void adopt_surplus() {
        if (box_.surplus.empty()) return;
        grid_.adopted_.assign(grid_.places_, -1);
        for (std::size_t s = 0; s < box_.surplus.size(); ++s) {
            int place = nearest_place(cells_[box_.surplus[s]]);
            while (grid_.adopted_[place] >= 0) place = (place + 1) % grid_.places_;
            grid_.adopted_[place] = grid_.places_ + static_cast<std::int32_t>(s);
            grid_.adopter_.push_back(place);
        }
    }

    int nearest_place(std::int64_t cell) const {
        int place = 0, stride = 1;
        for (std::size_t d = 0; d < box_.coordinates.size(); ++d) {
            const auto& chosen = box_.coordinates[d];
            const auto at =
                std::lower_bound(chosen.begin(), chosen.end(), torus_.coordinate(cell, static_cast<int>(d)));
            const auto nearest = at == chosen.end() ? chosen.end() - 1 : at;
            place += static_cast<int>(nearest - chosen.begin()) * stride;
            stride *= static_cast<int>(chosen.size());
        }
        return place;
    }

    const Fabric& fabric_;
    const Torus& torus_;
    const Placement& placement_;
    Box box_;
    std::vector<std::int64_t> cells_;         // by host as first numbered
    std::vector<std::int32_t> host_of_rank_;  // as first numbered
    Grid grid_;
};

Expected<Grid> Grid::from_torus(const Fabric& fabric, const Placement& placement) {
    const Torus* torus = fabric.torus();
    if (torus == nullptr) return failure("the topology is not a torus or mesh: there is no schedule for it");
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        if (placement[rank].host < 0 || placement[rank].host >= fabric.hosts.size()) {
            return failure("the host of rank " + std::to_string(rank) + " is not in the topology file");
        }
    }
    if (placement.empty()) return failure("there are no ranks to place");
    return GridBuilder(fabric, *torus, placement).run();
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
