// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/execute/transport.h"

#include <algorithm>
#include <cstddef>

namespace coll_topo {

/// Moves transfers through the transport, segment by segment, and reduces what has arrived. Remembers the first error;
/// after that nothing is posted.
class Segments {
public:
    /// `segment_bytes`: longest message; 0: nothing is cut.
    Segments(coll_topo_transport& transport, const Data& data, std::size_t segment_bytes);

    /// Longest message in elements.
    std::size_t longest() const { return longest_; }
    int error() const { return error_; }
    void fail(int error) { error_ = error; }

    /// Posts as many segments as may be under way.
    void post(Transfer& transfer, int lane);
    /// Takes the segments of an attended transfer of a step in order as they arrive. `reductions_wait`: see
    /// Step::sends_overlap_receives. True if anything happened.
    bool advance(Transfer& transfer, StepState& step, bool reductions_wait, int lane);
    /// True if a request is done, or has failed; it is gone then.
    bool take(void*& request);
    /// The same, but the request stays if it has not failed.
    bool arrives(void*& request);
    void cancel(Transfer& transfer);

    /// Elements reduced so far.
    std::size_t reduced() const { return reduced_; }

private:
    std::ptrdiff_t offset(std::size_t elements) const {
        return static_cast<std::ptrdiff_t>(elements) * transport_.extent;
    }
    std::byte* staging_slot(const Transfer& transfer, int slot) const {
        return transfer.staging + (slot == 0 ? 0 : static_cast<std::ptrdiff_t>(longest_) * operand_extent(transport_));
    }

    /// Where the segment ends that the transfer is at, in elements.
    std::size_t segment_end(const Transfer& transfer) const {
        return std::min(transfer.elements, (transfer.done / longest_ + 1) * longest_);
    }

    /// Combines operands that have arrived, of elements before `limit`: how many. 0 if they have to wait.
    std::size_t combine(Transfer& transfer, std::size_t limit);
    /// Ends the request for operands that were with their sender, and are not any more.
    void let_go(Transfer& transfer);
    /// Ends the segment that the transfer was at, and posts the next.
    void end_segment(Transfer& transfer, int lane);

    /// Post the next `count` elements of a transfer; the transport's error code.
    int post_data(const Transfer& transfer, std::size_t count, int lane, void** request);
    int post_piece(const Transfer& transfer, std::size_t count, int lane, void** request);

    coll_topo_transport& transport_;
    const Data& data_;
    std::size_t longest_ = uncut;
    std::size_t most_under_way_ = uncut;  // elements of a transfer that may be posted and not done
    std::size_t reduced_ = 0;
    int error_ = 0;
};

}  // namespace coll_topo
