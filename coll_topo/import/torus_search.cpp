// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/torus_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

namespace coll_topo::importing {

namespace {

constexpr int nobody = -1;
constexpr std::size_t most_neighbours = 12;  // of a torus with six dimensions

/// Directions are numbered 2 d (positive) and 2 d + 1 (negative).
constexpr int opposite(int direction) {
    return direction ^ 1;
}

class Search {
public:
    Search(const Wiring& wiring, const TorusWanted& wanted) : wanted_(wanted), size_(wiring.switches.size()) {
        const Neighbours neighbours = neighbours_of(wiring);
        around_.resize(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            for (const Neighbour& next : neighbours[i]) around_[i].push_back(next.index);
            std::sort(around_[i].begin(), around_[i].end());
        }
    }

    std::optional<SwitchTorus> run() {
        const auto least = std::min_element(around_.begin(), around_.end(),
                                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
        if (least == around_.end() || least->empty()) return std::nullopt;
        for (const auto& some : around_) {
            if (some.size() > most_neighbours || some.size() > 2 * least->size()) return std::nullopt;
        }
        start_ = static_cast<int>(least - around_.begin());
        free_ = *least;
        return pair_up();
    }

private:
    bool adjacent(int a, int b) const { return std::binary_search(around_[a].begin(), around_[a].end(), b); }

    /// The neighbours that two switches have in common, besides one; at most two of them.
    std::vector<int> common(int a, int b, int besides) const {
        std::vector<int> found;
        for (const int one : around_[a]) {
            if (one != besides && found.size() < 2 && adjacent(one, b)) found.push_back(one);
        }
        return found;
    }

    /// Whether two neighbours of the start can be in different dimensions.
    bool may_cross(int a, int b) const { return a == nobody || (!adjacent(a, b) && common(a, b, start_).size() == 1); }

    /// Gives the first free neighbour of the start a dimension, with each other one on the opposite side, or none.
    std::optional<SwitchTorus> pair_up() {
        if (free_.empty()) return follow();
        const std::vector<int> left = free_;
        for (std::size_t other = 1; other <= left.size(); ++other) {
            const int b = other < left.size() ? left[other] : nobody;
            const bool crosses = std::all_of(first_.begin(), first_.end(), [&](int known) {
                return may_cross(known, left[0]) && (b == nobody || may_cross(known, b));
            });
            if (!crosses) continue;
            first_.insert(first_.end(), {left[0], b});
            free_.assign(left.begin() + 1, left.end());
            std::erase(free_, b);
            if (auto found = pair_up()) return found;
            first_.resize(first_.size() - 2);
        }
        free_ = left;
        return std::nullopt;
    }

    /// Directions of all switches from those of the start.
    std::optional<SwitchTorus> follow() {
        const std::size_t directions = first_.size();
        toward_.assign(size_, {});
        toward_[start_] = first_;
        std::vector<int> known = {start_};
        for (std::size_t i = 0; i < known.size(); ++i) {
            for (std::size_t direction = 0; direction < directions; ++direction) {
                const int next = toward_[known[i]][direction];
                if (next == nobody || !toward_[next].empty()) continue;
                if (!step(known[i], static_cast<int>(direction))) return std::nullopt;
                known.push_back(next);
            }
        }
        return known.size() == size_ && are_mutual() ? torus() : std::nullopt;
    }

    /// The directions of the switch next to one whose own are known.
    bool step(int from, int direction) {
        const int to = toward_[from][direction];
        std::vector<int> own(first_.size(), nobody);
        std::vector<int> left = around_[to];
        std::erase(left, from);
        own[opposite(direction)] = from;
        for (int other = 0; other < static_cast<int>(own.size()); ++other) {
            const int beside = toward_[from][other];
            if (other / 2 == direction / 2 || beside == nobody) continue;
            const std::vector<int> corner = common(to, beside, from);
            if (corner.size() != 1) return false;
            own[other] = corner[0];
            if (std::erase(left, corner[0]) == 0) return false;
        }
        if (left.size() > 1) return false;
        if (!left.empty()) own[direction] = left[0];
        toward_[to] = std::move(own);
        return true;
    }

    bool are_mutual() const {
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t direction = 0; direction < first_.size(); ++direction) {
                const int next = toward_[i][direction];
                if (next == nobody) continue;
                if (toward_[next][opposite(static_cast<int>(direction))] != static_cast<int>(i)) return false;
            }
        }
        return true;
    }

    std::optional<SwitchTorus> torus() const {
        SwitchTorus torus;
        std::int64_t cells = 1;
        for (std::size_t positive = 0; positive < first_.size(); positive += 2) {
            int length = 1;
            int at = toward_[start_][positive];
            for (; at != nobody && at != start_; at = toward_[at][positive]) {
                if (++length > static_cast<int>(size_)) return std::nullopt;
            }
            torus.sizes.push_back(length);
            torus.wrapped.push_back(at == start_);
            cells *= length;
            if (cells > static_cast<std::int64_t>(size_)) return std::nullopt;
        }
        if (cells != static_cast<std::int64_t>(size_) || !place(torus) || !wanted_(torus)) return std::nullopt;
        return torus;
    }

    /// Coordinates, counted from the start; false if two ways to a switch, or two switches, do not agree.
    bool place(SwitchTorus& torus) const {
        torus.coordinates.assign(size_, {});
        torus.coordinates[start_].assign(torus.sizes.size(), 0);
        std::vector<int> known = {start_};
        for (std::size_t i = 0; i < known.size(); ++i) {
            for (std::size_t direction = 0; direction < first_.size(); ++direction) {
                const int next = toward_[known[i]][direction];
                if (next == nobody) continue;
                std::vector<int> there = torus.coordinates[known[i]];
                const int size = torus.sizes[direction / 2];
                int& coordinate = there[direction / 2];
                coordinate += direction % 2 == 0 ? 1 : -1;
                if (torus.wrapped[direction / 2]) coordinate = (coordinate + size) % size;
                if (coordinate < 0 || coordinate >= size) return false;
                auto& own = torus.coordinates[next];
                if (!own.empty() && own != there) return false;
                if (own.empty()) known.push_back(next);
                own = std::move(there);
            }
        }
        return std::set(torus.coordinates.begin(), torus.coordinates.end()).size() == size_;
    }

    const TorusWanted& wanted_;
    std::size_t size_;
    std::vector<std::vector<int>> around_;  // by switch: its neighbours, ascending
    int start_ = 0;
    std::vector<int> free_;                 // neighbours of the start without a direction
    std::vector<int> first_;                // by direction: neighbour of the start
    std::vector<std::vector<int>> toward_;  // by switch and direction: neighbour; empty: not known yet
};

}  // namespace

std::optional<SwitchTorus> find_torus(const Wiring& wiring, const TorusWanted& wanted) {
    return Search(wiring, wanted).run();
}

}  // namespace coll_topo::importing
