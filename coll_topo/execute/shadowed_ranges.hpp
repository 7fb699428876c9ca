// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace coll_topo {

/// Which sums of an array are more than their values: ranges of indices, few since schedules work on blocks.
class ShadowedRanges {
public:
    void clear() { ranges_.clear(); }
    void add(std::size_t begin, std::size_t end);
    void remove(std::size_t begin, std::size_t end);

    bool none_in(std::size_t begin, std::size_t end) const {
        const auto range = first_ending_after(begin);
        return begin == end || range == ranges_.end() || range->begin >= end;
    }

    /// visit(begin, end, shadowed) for the parts of a range, in order. It may change what is outside of the range.
    template <typename Visit>
    void visit(std::size_t begin, std::size_t end, Visit&& visit) const {
        while (begin < end) {
            const Part part = part_at(begin, end);
            visit(begin, part.end, part.shadowed);
            begin = part.end;
        }
    }

private:
    struct Range {
        std::size_t begin, end;
    };
    using Ranges = std::vector<Range>;
    struct Part {
        std::size_t end;
        bool shadowed;
    };

    Ranges::const_iterator first_ending_after(std::size_t index) const {
        return std::ranges::upper_bound(ranges_, index, {}, &Range::end);
    }

    /// What begins at an index, up to `end`.
    Part part_at(std::size_t index, std::size_t end) const {
        const auto range = first_ending_after(index);
        if (range == ranges_.end() || range->begin >= end) return {end, false};
        if (range->begin > index) return {range->begin, false};
        return {std::min(end, range->end), true};
    }

    Ranges ranges_;  // ascending, with gaps between them
};

}  // namespace coll_topo
