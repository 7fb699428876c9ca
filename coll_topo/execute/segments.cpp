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
    const bool sends = is_send(*transfer.action);
    std::byte* data = transfer.data + offset(transfer.posted);
    if (transfer.staging != nullptr) data = staging_slot(transfer, transfer.post_slot);
    return sends ? data_.send(*transfer.action, data, count, lane, request)
                 : data_.receive(*transfer.action, data, count, lane, request);
}

int Segments::post_piece(const Transfer& transfer, std::size_t count, int lane, void** request) {
    const auto post = is_send(*transfer.action) ? transport_.pieces->send : transport_.pieces->receive;
    return post(&transport_, transfer.posted, count, transfer.action->peer, lane, request);
}

bool Segments::take(void*& request) {
    const int state = transport_.test(&transport_, &request);
    if (state == 0) return false;
    request = nullptr;
    if (state < 0) error_ = state;
    return true;
}

bool Segments::advance(Transfer& transfer, StepState& step, bool reductions_wait, int lane) {
    if (transfer.before != nullptr && transfer.before->allows(transfer) <= transfer.done) return false;
    bool moved = false;
    while (transfer.done < transfer.posted) {
        const int slot = transfer.done_slot;
        if (!transfer.arrived[slot]) {
            if (!take(transfer.requests[slot])) return moved;
            transfer.arrived[slot] = true;
            moved = true;
            if (error_ != 0) return true;
        }
        const std::size_t count = std::min(longest_, transfer.elements - transfer.done);
        if (transfer.staging != nullptr) {
            if (transfer.done + count > reducible(transfer, step, reductions_wait)) return moved;
            const std::ptrdiff_t at = offset(transfer.done);
            error_ = data_.reduce(staging_slot(transfer, slot), transfer.data + at,
                                  transfer.operands != nullptr ? transfer.operands + at : nullptr, count,
                                  transfer.action->operand);
            if (error_ != 0) return true;
            reduced_ += count;
        }
        moved = true;
        transfer.done += count;
        transfer.done_slot ^= 1;
        post(transfer, lane);
        if (error_ != 0) return true;
    }
    return moved;
}

void Segments::cancel(Transfer& transfer) {
    for (void*& request : transfer.requests) {
        if (request != nullptr) transport_.cancel(&transport_, &request);
        request = nullptr;
    }
}

}  // namespace coll_topo
