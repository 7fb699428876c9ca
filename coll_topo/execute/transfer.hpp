// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace coll_topo {

/// A segment longer than any message: nothing is cut.
inline constexpr std::size_t uncut = ~std::size_t{0};

/// One transfer in progress, cut into segments of which up to two are under way.
struct Transfer {
    static constexpr int depth = 2;

    const Action* action;
    std::byte* data;  // where the blocks are
    /// Untouched operands in place of those in the blocks: receive_reduce: what is combined with what is received;
    /// send: `data` itself. Else null.
    const std::byte* operands;
    std::byte* staging;      // receive_reduce: room for `depth` segments, or for all if they fit in one
    const Transfer* before;  // receive_reduce: the one listed before it in the step, which is reduced first
    std::size_t elements;
    std::size_t posted;     // elements
    std::size_t done;       // elements sent, received or reduced
    void* requests[depth];  // of the segments under way, in turn; null once that segment has arrived
    bool arrived[depth];
    bool stays[depth];       // receive_reduce: with its sender, until it is combined (coll_topo_readable_peers)
    std::uint8_t post_slot;  // of the segment to be posted next
    std::uint8_t done_slot;  // of the segment to be done with next

    bool finished() const { return done == elements; }
    bool fully_posted() const { return posted == elements; }

    bool shares_blocks(const Transfer& other) const {
        const Action &a = *action, &b = *other.action;
        return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
    }
    /// Up to which of its elements `later` may be reduced when that has to wait for this transfer: segment by segment
    /// if both are of the same blocks.
    std::size_t allows(const Transfer& later) const {
        if (data == later.data && elements == later.elements) return done;
        return finished() ? later.elements : 0;
    }
};

/// A step in progress, one whose last sends end, or one with its receives posted. Most transfers only have to end; with
/// thousands of them in a step it would cost too much to look at each again and again, so they are waited for one after
/// the other. The others are attended: looked at in turn, since a segment that has arrived is to be reduced, or
/// followed by the next one. Both kinds share memory for the largest step: attended ones are added from its front, the
/// others from its back.
class StepState {
public:
    StepState(Transfer* begin, Transfer* end) : begin_(begin), end_(end) { clear(); }

    void clear() {
        attended_begin_ = attended_end_ = begin_;
        waiting_begin_ = waiting_end_ = end_;
    }
    /// Transfers of each kind keep the order in which they are added.
    Transfer& add(bool attended) { return attended ? *attended_end_++ : *--waiting_begin_; }

    bool ended() { return attended().empty() && waiting_begin_ == waiting_end_; }
    /// The attended transfers, but for the first ones if they are finished.
    std::span<Transfer> attended() {
        while (attended_begin_ != attended_end_ && attended_begin_->finished()) ++attended_begin_;
        return {attended_begin_, attended_end_};
    }
    /// The transfer to wait for, null if there is none left; and on to the next.
    Transfer* waiting() { return waiting_begin_ == waiting_end_ ? nullptr : waiting_end_ - 1; }
    void next_waiting() { --waiting_end_; }

    /// Whether all segments of its receives (all messages) have been posted. Others than attended transfers have one.
    bool receives_posted() {
        return std::ranges::all_of(
            attended(), [](const Transfer& transfer) { return is_send(*transfer.action) || transfer.fully_posted(); });
    }
    bool posted() { return std::ranges::all_of(attended(), &Transfer::fully_posted); }
    /// Whether what is not finished are sends that are posted to their end. Sends come after receives in a step.
    bool only_sends_left() {
        return (waiting() == nullptr || is_send(*waiting()->action)) &&
               std::ranges::all_of(attended(), [](const Transfer& transfer) {
                   return transfer.finished() || (is_send(*transfer.action) && transfer.fully_posted());
               });
    }

    /// visit(transfer) for those not known to be finished.
    template <typename Visit>
    void for_each(Visit&& visit) {
        for (Transfer* transfer = attended_begin_; transfer != attended_end_; ++transfer) visit(*transfer);
        for (Transfer* transfer = waiting_end_; transfer != waiting_begin_;) visit(*--transfer);
    }

private:
    Transfer* begin_;
    Transfer* end_;
    Transfer* attended_begin_;
    Transfer* attended_end_;
    Transfer* waiting_begin_;
    Transfer* waiting_end_;
};

}  // namespace coll_topo
