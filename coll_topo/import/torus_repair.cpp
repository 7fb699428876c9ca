// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/torus_repair.hpp"

#include <algorithm>
#include <cstddef>

namespace coll_topo::importing {

namespace {

constexpr std::size_t most_gaps = 3;

class Search {
public:
    Search(const Wiring& wiring, const TorusFinder& find) : wiring_(wiring), find_(find) {}

    std::optional<RepairedTorus> run() {
        const Neighbours neighbours = neighbours_of(wiring_);
        std::size_t most = 0;
        for (const auto& own : neighbours) most = std::max(most, own.size());
        std::vector<int> ends;  // the switches with too few neighbours, as often as one is missing
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            ends.insert(ends.end(), most - neighbours[i].size(), static_cast<int>(i));
            if (ends.size() > std::max(2 * most_gaps, most)) return std::nullopt;
        }
        if (ends.size() == most && std::adjacent_find(ends.begin(), ends.end()) == ends.end()) {
            if (auto found = add_switch(ends)) return found;
        }
        if (ends.empty() || ends.size() % 2 != 0 || ends.size() > 2 * most_gaps) return std::nullopt;
        return join(ends);
    }

private:
    /// Joins all ends to a new switch, which has as many neighbours as any other.
    std::optional<RepairedTorus> add_switch(const std::vector<int>& ends) const {
        Wiring whole = wiring_;
        const int added = static_cast<int>(whole.switches.size());
        whole.switches.emplace_back();
        for (const int end : ends) whole.switch_cables.push_back({end, added, 1, 0});
        auto torus = find_(whole);
        if (!torus) return std::nullopt;
        return RepairedTorus{*std::move(torus), {}, ends};
    }

    /// Joins the first end with each other one in turn, and then the rest.
    std::optional<RepairedTorus> join(const std::vector<int>& ends) {
        if (ends.empty()) {
            auto torus = find_(wiring_);
            if (!torus) return std::nullopt;
            return RepairedTorus{*std::move(torus), gaps_};
        }
        for (std::size_t other = 1; other < ends.size(); ++other) {
            const int a = ends[0], b = ends[other];
            if (a == b) continue;
            std::vector<int> rest(ends.begin() + 1, ends.end());
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(other) - 1);
            wiring_.switch_cables.push_back({a, b, 1, 0});
            gaps_.emplace_back(a, b);
            if (auto found = join(rest)) return found;
            gaps_.pop_back();
            wiring_.switch_cables.pop_back();
        }
        return std::nullopt;
    }

    Wiring wiring_;  // with the cables that are tried
    const TorusFinder& find_;
    std::vector<std::pair<int, int>> gaps_;
};

}  // namespace

std::optional<RepairedTorus> find_torus_with_losses(const Wiring& wiring, const TorusFinder& find) {
    return Search(wiring, find).run();
}

}  // namespace coll_topo::importing
