// SPDX-License-Identifier: BSD-3-Clause
//
// The times of groups add up to the bound if the dimension that is slowest over the whole exchange is slowest in every
// group. So a group that loads another dimension more must go with groups that load it less.
//
//     1. Rotations. In three dimensions and more, (i, j, k), (j, k, i) and (k, i, j) load all dimensions alike, if they
//        are equally fast. These groups are done.
//     2. One other dimension after the other: groups with an excess on it, largest first, are joined to one that has
//        just enough room, else to the roomiest. On a torus of two dimensions there is an (i, j) for every (j, i) as
//        far as both sides go, so that nothing is left over.
//
// n log n for n offsets.

#include "coll_topo/algorithm/alltoall/offset_balance.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace coll_topo {
namespace {

class Balance {
public:
    Balance(std::vector<OffsetGroup> groups, const OffsetSpace& space, int most)
        : groups_(std::move(groups)), space_(space), most_(most), tolerance_(1e-9 * space.bound()) {}

    std::vector<OffsetGroup> run() {
        if (space_.dimensions() > 2) join_rotations();
        std::vector<int> others(space_.dimensions());
        std::iota(others.begin(), others.end(), 0);
        std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return space_.total(a) > space_.total(b); });
        for (const int dimension : others) {
            if (dimension != space_.slowest()) relieve(dimension);
        }
        return std::move(groups_);
    }

private:
    double excess(const OffsetGroup& group, int dimension) const {
        return group.load[dimension] - group.load[space_.slowest()];
    }

    bool balanced(const OffsetGroup& group) const {
        for (int d = 0; d < space_.dimensions(); ++d) {
            if (excess(group, d) > tolerance_) return false;
        }
        return true;
    }

    static void join(OffsetGroup& group, const OffsetGroup& other) {
        group.offsets.insert(group.offsets.end(), other.offsets.begin(), other.offsets.end());
        for (std::size_t d = 0; d < group.load.size(); ++d) group.load[d] += other.load[d];
        group.evens_out = group.evens_out || other.evens_out;
    }

    /// The offset with its components moved `by` dimensions on, or -1 if there is none.
    std::int32_t rotated(std::int32_t offset, int by) const {
        const int dimensions = space_.dimensions();
        std::int32_t result = 0;
        for (int d = 0; d < dimensions; ++d) {
            const int component = space_.component(offset, (d + by) % dimensions);
            result = space_.with_component(result, d, component);
            if (space_.component(result, d) != component) return -1;
        }
        return result;
    }

    /// The groups that hold the rotations of a group's first offset; none if one of them is not there.
    std::vector<std::int32_t> rotations(std::int32_t group, const std::vector<std::int32_t>& group_of) const {
        std::vector<std::int32_t> together = {group};
        for (int by = 1; by < space_.dimensions(); ++by) {
            const std::int32_t offset = rotated(groups_[group].offsets[0], by);
            if (offset < 0 || group_of[offset] < 0) return {};
            if (std::ranges::find(together, group_of[offset]) == together.end()) together.push_back(group_of[offset]);
        }
        return together;
    }

    void join_rotations() {
        std::vector<std::int32_t> group_of(space_.cells(), -1);  // -1: joined, or not to be
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].evens_out) continue;
            for (const std::int32_t offset : groups_[i].offsets) group_of[offset] = static_cast<std::int32_t>(i);
        }
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].offsets.empty() || group_of[groups_[i].offsets[0]] < 0) continue;
            const auto together = rotations(static_cast<std::int32_t>(i), group_of);
            if (together.size() < 2) continue;
            OffsetGroup joined = groups_[i];
            for (std::size_t k = 1; k < together.size(); ++k) join(joined, groups_[together[k]]);
            if (!balanced(joined) || static_cast<int>(joined.offsets.size()) > most_) continue;
            for (const std::int32_t offset : joined.offsets) group_of[offset] = -1;
            for (const std::int32_t index : together) groups_[index].offsets.clear();
            groups_[i] = std::move(joined);
        }
        std::erase_if(groups_, [](const OffsetGroup& group) { return group.offsets.empty(); });
    }

    /// The excess on a dimension, then that on all others, and the group.
    using Key = std::tuple<double, double, std::int32_t>;

    Key key(std::size_t group, int dimension) const {
        double on_others = -excess(groups_[group], dimension);
        for (int d = 0; d < space_.dimensions(); ++d) on_others += excess(groups_[group], d);
        return {excess(groups_[group], dimension), on_others, static_cast<std::int32_t>(group)};
    }

    /// Joins groups with too much on a dimension to groups with room on it.
    void relieve(int dimension) {
        std::vector<Key> loaded;
        std::vector<std::set<Key>> roomy(most_);  // by number of offsets
        const auto offer = [&](std::size_t group) {
            const std::size_t size = groups_[group].offsets.size();
            if (excess(groups_[group], dimension) < -tolerance_ && size < roomy.size()) {
                roomy[size].insert(key(group, dimension));
            }
        };
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (excess(groups_[group], dimension) > tolerance_) loaded.push_back(key(group, dimension));
            offer(group);
        }
        std::ranges::sort(loaded, std::greater<>());
        for (const Key& most_loaded : loaded) {
            OffsetGroup& group = groups_[std::get<2>(most_loaded)];
            while (excess(group, dimension) > tolerance_) {
                const std::int32_t helper =
                    take(roomy, excess(group, dimension), most_ - static_cast<int>(group.offsets.size()));
                if (helper < 0) break;
                join(group, groups_[helper]);
                groups_[helper].offsets.clear();
            }
            offer(std::get<2>(most_loaded));
        }
        std::erase_if(groups_, [](const OffsetGroup& group) { return group.offsets.empty(); });
    }

    /// Takes out the group of at most `largest` offsets that has just enough room, else the one that has most; -1 if
    /// there is none.
    std::int32_t take(std::vector<std::set<Key>>& roomy, double needed, int largest) const {
        std::set<Key>* from = nullptr;
        Key best;
        const auto enough = [&](const Key& key) { return std::get<0>(key) <= -needed + tolerance_; };
        for (int size = 1; size <= std::min(largest, most_ - 1); ++size) {
            if (roomy[size].empty()) continue;
            Key found = *roomy[size].begin();
            if (enough(found)) {
                auto next = roomy[size].lower_bound({-needed + tolerance_, -infinity, -1});
                const double room = std::get<0>(*std::prev(next));
                found = *roomy[size].lower_bound({room - tolerance_, -infinity, -1});
            }
            const bool better =
                from == nullptr || (enough(found) ? !enough(best) || std::get<0>(found) > std::get<0>(best) + tolerance_
                                                  : !enough(best) && found < best);
            if (!better) continue;
            best = found;
            from = &roomy[size];
        }
        if (from == nullptr) return -1;
        from->erase(best);
        return std::get<2>(best);
    }

    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::vector<OffsetGroup> groups_;
    const OffsetSpace& space_;
    const int most_;
    const double tolerance_;
};

}  // namespace

std::vector<OffsetGroup> balance(std::vector<OffsetGroup> groups, const OffsetSpace& space, int most) {
    return Balance(std::move(groups), space, most).run();
}

}  // namespace coll_topo
