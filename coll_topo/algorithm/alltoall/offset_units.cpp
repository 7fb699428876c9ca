// SPDX-License-Identifier: BSD-3-Clause
//
// The smallest groups of offsets that load both directions of every ring, and all its links, equally.
//
//     a mirror pair     (i, j) (-i, -j)              any offset; a mesh needs no mirror image
//     a shifted pair    (a, 3) (-a-1, 3)             on a ring of 6, and of 10, 14, …, behind dimension a of even size
//
// The half-way offset on a ring of 6 goes 3 hops up from senders with an even sum of coordinates, and 3 down from the
// others: one of two neighbouring links carries 2 messages, the other 1. For (a, 3) and (-a-1, 3) the senders whose
// messages meet have sums of different parity, as a is along a dimension of even size: each link carries 3 of the pair.
// That is worth the uneven load of dimension a only where this ring limits the exchange.
//
// Behind dimensions of odd size alone no two offsets make up for each other everywhere. Only all of them do, but for
// one message: on 5x6 the five offsets (a, 3) put 8 messages on a link together, and 9 in any two groups. Every further
// group costs one message. Where that is more than a few per cent they stay together, all or by lines, at the price of
// more messages in flight.

#include "coll_topo/algorithm/alltoall/offset_units.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>

namespace coll_topo {
namespace {

/// What extra groups may cost, as a share of the whole exchange.
constexpr double acceptable_loss = 0.02;

class UnitFinder {
public:
    UnitFinder(const OffsetSpace& space, int most) : space_(space), most_(most), seen_(space.cells(), false) {}

    std::vector<OffsetGroup> run() {
        std::vector<OffsetGroup> units;
        for (std::int32_t offset = 1; offset < space_.cells(); ++offset) {
            if (!seen_[offset]) units.push_back(unit_of(offset));
        }
        if (space_.first_even() < space_.dimensions() && space_.must_even_out(space_.first_even())) gather(units);
        return units;
    }

private:
    OffsetGroup unit_of(std::int32_t offset) {
        OffsetGroup unit;
        const int ring = ring_to_even_out(offset);
        unit.evens_out = ring >= 0;
        add(unit, offset);
        if (ring >= 0) {
            const std::int32_t shifted_offset = shifted(offset, ring);
            add(unit, shifted_offset);
            if (has_odd_part(offset, ring)) {
                add(unit, space_.mirror(offset));
                add(unit, space_.mirror(shifted_offset));
            }
        } else if (space_.any_wrapped()) {
            add(unit, space_.mirror(offset));
        }
        add_loads(unit);
        return unit;
    }

    void add(OffsetGroup& unit, std::int32_t offset) {
        if (!seen_[offset]) unit.offsets.push_back(offset);
        seen_[offset] = true;
    }

    void add_loads(OffsetGroup& unit) {
        for (int d = 0; d < space_.dimensions(); ++d) {
            double load = 0, farthest = 0;
            for (const std::int32_t offset : unit.offsets) {
                load += space_.load(offset, d);
                farthest = std::max(farthest, std::abs(space_.component(offset, d)) * space_.slowness(d));
            }
            // A shifted pair has no mirror images: along the dimension of the shift each goes one way.
            const bool one_way = unit.evens_out && unit.offsets.size() == 2 && d == space_.first_even();
            unit.load.push_back(one_way ? std::max(load, farthest) : load);
        }
    }

    /// The first ring behind one of even size on which the offset is half-way and must be made up for, or -1.
    int ring_to_even_out(std::int32_t offset) const {
        for (int d = space_.first_even() + 1; d < space_.dimensions(); ++d) {
            if (space_.must_even_out(d) && space_.is_half(offset, d)) return d;
        }
        return -1;
    }

    /// Dimensions of odd size before the ring decide the parity of a sender too, and therefore are not mirrored.
    bool is_odd_part(int dimension, int ring) const { return dimension < ring && space_.size(dimension) % 2 != 0; }

    bool has_odd_part(std::int32_t offset, int ring) const {
        for (int d = 0; d < ring; ++d) {
            if (is_odd_part(d, ring) && space_.component(offset, d) != 0) return true;
        }
        return false;
    }

    std::int32_t shifted(std::int32_t offset, int ring) const {
        std::int32_t result = space_.mirror(offset);
        for (int d = 0; d < ring; ++d) {
            if (is_odd_part(d, ring)) result = space_.with_component(result, d, space_.component(offset, d));
        }
        const int along = space_.first_even();
        return space_.with_component(result, along, -space_.component(offset, along) - 1);
    }

    /// Joins the half-way offsets of the first ring of even size, as far as it pays.
    void gather(std::vector<OffsetGroup>& units) {
        const int ring = space_.first_even();
        const auto halves = std::stable_partition(units.begin(), units.end(), [&](const OffsetGroup& unit) {
            return std::ranges::none_of(unit.offsets,
                                        [&](std::int32_t offset) { return space_.is_half(offset, ring); });
        });
        sort_by_line(halves, units.end());
        const int count = space_.cells() / space_.size(ring);
        const double further_groups = (count + most_ - 1) / most_ - 1;
        const bool by_line = further_groups * space_.slowness(ring) > acceptable_loss * space_.bound();

        std::vector<OffsetGroup> gathered;
        int room = 0;
        std::int32_t last_line = -1;
        for (auto unit = halves; unit != units.end(); ++unit) {
            const int size = static_cast<int>(unit->offsets.size());
            const bool fits = by_line ? count <= 2 * most_ || line(*unit) == last_line : size <= room;
            if (gathered.empty() || !fits) {
                gathered.push_back({{}, {}, true});
                room = most_;
            }
            room -= size;
            last_line = line(*unit);
            std::ranges::copy(unit->offsets, std::back_inserter(gathered.back().offsets));
        }
        for (OffsetGroup& group : gathered) add_gathered_loads(group, ring);
        units.erase(halves, units.end());
        std::ranges::move(gathered, std::back_inserter(units));
    }

    void add_gathered_loads(OffsetGroup& group, int ring) {
        add_loads(group);
        const int left_over = group.offsets.size() % 2 == 0 ? 2 : 1;
        const auto both_ways = static_cast<double>(group.offsets.size()) * (space_.size(ring) / 2) + left_over;
        group.load[ring] = both_ways / 2 * space_.slowness(ring);
    }

    /// The line of offsets along the longest dimension before the ring, the same for a line and its mirror image.
    std::int32_t line(const OffsetGroup& unit) const {
        const std::int32_t begin = space_.with_component(unit.offsets[0], longest_before(), 0);
        return std::min(begin, space_.mirror(begin));
    }

    int longest_before() const {
        int longest = 0;
        for (int d = 1; d < space_.first_even(); ++d) {
            if (space_.size(d) > space_.size(longest)) longest = d;
        }
        return longest;
    }

    template <typename Iterator>
    void sort_by_line(Iterator begin, Iterator end) const {
        const int along = longest_before();
        // Lines that come with their mirror image first: they are long, and short ones fill the groups.
        const auto key = [&](const OffsetGroup& unit) {
            const std::int32_t begin = line(unit);
            return std::tuple(space_.mirror(begin) == begin, begin, std::abs(space_.component(unit.offsets[0], along)));
        };
        std::stable_sort(begin, end, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    }

    const OffsetSpace& space_;
    const int most_;
    std::vector<bool> seen_;
};

}  // namespace

std::vector<OffsetGroup> offset_units(const OffsetSpace& space, int most) {
    return UnitFinder(space, most).run();
}

}  // namespace coll_topo
