// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/segments.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Up to which element operands may be combined now: in the order in which the step lists them, so that results do not
/// depend on the order of arrival, and not before the values they replace have been sent.
std::size_t reducible(const Transfer& transfer, StepState& step, bool reductions_wait) {
    // What is listed still earlier is no further behind than what is listed just before.
    std::size_t limit = transfer.before != nullptr ? transfer.before->allows(transfer) : transfer.elements;
    if (!reductions_wait) return limit;
    for (const Transfer& other : step.attended()) {
        if (is_send(*other.action) && other.operands == nullptr && other.shares_blocks(transfer)) {
            limit = std::min(limit, other.allows(transfer));
        }
    }
    return limit;
}

}  // namespace

Segments::Segments(coll_topo_transport& transport, const Data& data, std::size_t segment_bytes)
    : transport_(transport), data_(data) {
    if (segment_bytes == 0) return;
    longest_ = std::max<std::size_t>(1, segment_bytes / transport.element_bytes);
    most_under_way_ = longest_ * Transfer::depth;
}

void Segments::post(Transfer& transfer, int lane) {
    while (error_ == 0 && transfer.posted < transfer.elements && transfer.posted - transfer.done < most_under_way_) {
        const std::size_t count = std::min(longest_, transfer.elements - transfer.posted);
        const int slot = transfer.post_slot;
        void** request = &transfer.requests[slot];
        transfer.stays[slot] = transfer.staging != nullptr && transport_.readable != nullptr &&
                               transport_.readable->serves(&transport_, count, transfer.action->peer) != 0;
        error_ = transport_.pieces != nullptr ? post_piece(transfer, count, lane, request)
                                              : post_data(transfer, count, lane, request);
        if (error_ != 0) {
            *request = nullptr;
            return;
        }
        transfer.arrived[slot] = false;
        transfer.post_slot ^= 1;
        transfer.posted += count;
    }
}

int Segments::post_data(const Transfer& transfer, std::size_t count, int lane, void** request) {
    if (transfer.stays[transfer.post_slot]) {
        return transport_.readable->receive(&transport_, count, transfer.action->peer, lane, request);
    }
    const bool sends = is_send(*transfer.action);
    std::byte* data = transfer.data + offset(transfer.posted);
    if (transfer.staging != nullptr) data = staging_slot(transfer, transfer.post_slot);
    return sends ? data_.send(*transfer.action, data, count, lane, request)
                 : data_.receive(*transfer.action, data, count, lane, request);
}

int Segments::post_piece(const Transfer& transfer, std::size_t count, int lane, void** request) {
    const auto post = is_send(*transfer.action) ? transport_.pieces->send : transport_.pieces->receive;
    return post(&transport_, transfer.posted, count, transfer.action->first, transfer.action->peer, lane, request);
}

bool Segments::take(void*& request) {
    if (!arrives(request)) return false;
    request = nullptr;
    return true;
}

bool Segments::arrives(void*& request) {
    const int state = transport_.test(&transport_, &request);
    if (state < 0) {
        request = nullptr;
        error_ = state;
    }
    return state != 0;
}

bool Segments::advance(Transfer& transfer, StepState& step, bool reductions_wait, int lane) {
    constexpr std::size_t enough = 256 * 1024;  // bytes to combine before others are looked at again
    const std::size_t reduced_before = reduced_;
    bool moved = false;
    while (transfer.done < transfer.posted) {
        const int slot = transfer.done_slot;
        const bool waits = transfer.before != nullptr && transfer.before->allows(transfer) <= transfer.done;
        if (waits && !transfer.stays[slot]) return moved;
        if (!transfer.arrived[slot]) {
            void*& request = transfer.requests[slot];
            if (!(transfer.stays[slot] ? arrives(request) : take(request))) return moved;
            transfer.arrived[slot] = true;
            moved = true;
            if (error_ != 0) return true;
        }
        const std::size_t end = segment_end(transfer);
        const std::size_t limit = std::min(end, reducible(transfer, step, reductions_wait));
        const std::size_t count = transfer.staging == nullptr ? end - transfer.done : combine(transfer, limit);
        if (error_ != 0) return true;
        if (count == 0) return moved;
        moved = true;
        transfer.done += count;
        if (transfer.done == end) end_segment(transfer, lane);
        if (error_ != 0 || (reduced_ - reduced_before) * transport_.element_bytes >= enough) return true;
    }
    return moved;
}

std::size_t Segments::combine(Transfer& transfer, std::size_t limit) {
    const int slot = transfer.done_slot;
    const std::size_t in_segment = transfer.done % longest_;
    const bool stays = transfer.stays[slot];
    std::byte* const received = staging_slot(transfer, slot);
    std::size_t count = segment_end(transfer) - transfer.done;
    if (stays) {
        const std::size_t most = std::max(COLL_TOPO_READ_AT_ONCE / transport_.element_bytes, std::size_t{1});
        if (limit > transfer.done) count = std::min({count, limit - transfer.done, most});
        error_ = transport_.readable->read(&transport_, transfer.requests[slot], in_segment, received, count);
        if (error_ != 0) return 0;
    }
    if (transfer.done + count > limit) {
        // It may be that the sender has to go on before this can be combined.
        if (stays) let_go(transfer);
        return 0;
    }
    // The sender need not wait until it is combined.
    if (stays && transfer.done + count == segment_end(transfer)) let_go(transfer);
    const std::ptrdiff_t at = offset(transfer.done);
    error_ = data_.reduce(received, transfer.data + at, transfer.operands != nullptr ? transfer.operands + at : nullptr,
                          count, transfer.action->operand);
    reduced_ += count;
    return count;
}

void Segments::let_go(Transfer& transfer) {
    const int slot = transfer.done_slot;
    transport_.readable->release(&transport_, &transfer.requests[slot]);
    transfer.requests[slot] = nullptr;
    transfer.stays[slot] = false;
}

void Segments::end_segment(Transfer& transfer, int lane) {
    transfer.done_slot ^= 1;
    post(transfer, lane);
}

void Segments::cancel(Transfer& transfer) {
    for (void*& request : transfer.requests) {
        if (request != nullptr) transport_.cancel(&transport_, &request);
        request = nullptr;
    }
}

}  // namespace coll_topo
