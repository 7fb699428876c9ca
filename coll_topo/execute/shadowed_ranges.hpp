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

    /// visit(begin, end, shadowed) for the parts of a range, in order.
    template <typename Visit>
    void visit(std::size_t begin, std::size_t end, Visit&& visit) const {
        for (auto range = first_ending_after(begin); begin < end; ++range) {
            const bool ends = range == ranges_.end() || range->begin >= end;
            const std::size_t plain_end = ends ? end : std::max(begin, range->begin);
            if (begin < plain_end) visit(begin, plain_end, false);
            if (ends) return;
            const std::size_t shadowed_end = std::min(end, range->end);
            visit(plain_end, shadowed_end, true);
            begin = shadowed_end;
        }
    }

private:
    struct Range {
        std::size_t begin, end;
    };
    using Ranges = std::vector<Range>;

    Ranges::const_iterator first_ending_after(std::size_t index) const {
        return std::ranges::upper_bound(ranges_, index, {}, &Range::end);
    }

    Ranges ranges_;  // ascending, with gaps between them
};

}  // namespace coll_topo
