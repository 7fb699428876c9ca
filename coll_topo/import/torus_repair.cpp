// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/torus_repair.hpp"

#include <algorithm>
#include <cstddef>

namespace coll_topo::importing {

namespace {

constexpr std::size_t most_gaps = 3;

/// The switches with too few neighbours, as often as one is missing; empty if there are too many of them.
std::vector<int> ends_of_gaps(const Wiring& wiring) {
    const Neighbours neighbours = neighbours_of(wiring);
    std::size_t most = 0;
    for (const auto& own : neighbours) most = std::max(most, own.size());
    std::vector<int> ends;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        ends.insert(ends.end(), most - neighbours[i].size(), static_cast<int>(i));
        if (ends.size() > 2 * most_gaps) return {};
    }
    return ends;
}

class Search {
public:
    Search(const Wiring& wiring, const TorusWanted& wanted) : wiring_(wiring), wanted_(wanted) {}

    std::optional<TorusWithGaps> run() {
        const std::vector<int> ends = ends_of_gaps(wiring_);
        if (ends.empty() || ends.size() % 2 != 0) return std::nullopt;
        return join(ends);
    }

private:
    /// Joins the first end with each other one in turn, and then the rest.
    std::optional<TorusWithGaps> join(const std::vector<int>& ends) {
        if (ends.empty()) {
            auto torus = find_torus(wiring_, wanted_);
            if (!torus) return std::nullopt;
            return TorusWithGaps{*std::move(torus), gaps_};
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
    const TorusWanted& wanted_;
    std::vector<std::pair<int, int>> gaps_;
};

}  // namespace

std::optional<TorusWithGaps> find_torus_with_gaps(const Wiring& wiring, const TorusWanted& wanted) {
    return Search(wiring, wanted).run();
}

}  // namespace coll_topo::importing
