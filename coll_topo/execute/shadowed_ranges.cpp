// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/shadowed_ranges.hpp"

namespace coll_topo {

void ShadowedRanges::add(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    // Those that overlap or touch the new one become part of it.
    const auto first = std::ranges::lower_bound(ranges_, begin, {}, &Range::end);
    auto last = first;
    for (; last != ranges_.end() && last->begin <= end; ++last) {
        begin = std::min(begin, last->begin);
        end = std::max(end, last->end);
    }
    if (first == last) {
        ranges_.insert(first, {begin, end});
    } else {
        *first = {begin, end};
        ranges_.erase(first + 1, last);
    }
}

void ShadowedRanges::remove(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    auto range = ranges_.begin() + (first_ending_after(begin) - ranges_.cbegin());
    if (range == ranges_.end()) return;
    if (range->begin < begin && end < range->end) {
        const Range rest{end, range->end};
        range->end = begin;
        ranges_.insert(range + 1, rest);
        return;
    }
    if (range->begin < begin) (range++)->end = begin;
    const auto first = range;
    while (range != ranges_.end() && range->end <= end) ++range;
    if (range != ranges_.end() && range->begin < end) range->begin = end;
    ranges_.erase(first, range);
}

}  // namespace coll_topo
