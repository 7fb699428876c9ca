// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/execution.hpp"

#include "coll_topo/execute/executor.hpp"
#include "coll_topo/execute/piece_sizes.hpp"

namespace coll_topo {

namespace {

bool equal(const coll_topo_buffers& one, const coll_topo_buffers& other) {
    return one.input == other.input && one.output == other.output && one.elements == other.elements &&
           one.piece_elements.ints == other.piece_elements.ints &&
           one.piece_elements.sizes == other.piece_elements.sizes && one.operands == other.operands;
}

}  // namespace

void Execution::take(const Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers) {
    if (tables_of_ != plan.number) tables_.fit(plan);
    tables_of_ = plan.number;
    plan_ = &plan;
    transport_ = &transport;
    buffers_ = buffers;
    lanes_.reset();
    single_lane_.reset();
    sizes_ = nullptr;
}

int Execution::begin_sizes(const Plan& plan, coll_topo_transport& transport, int root, const coll_topo_cells& cells,
                           std::size_t* sizes) {
    take(plan, transport, buffers_of_cells(plan, root, cells));
    sizes_ = sizes;
    error_ = begin_lanes();
    return error_;
}

int Execution::begin(const Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers,
                     bool as_before) {
    if (as_before && single_lane_ && tables_of_ == plan.number && transport_ == &transport &&
        equal(buffers_, buffers)) {
        return repeat();
    }
    take(plan, transport, buffers);
    error_ = runs_in_single_lane(plan, transport, buffers) ? begin_in_single_lane() : begin_lanes();
    return error_;
}

int Execution::repeat() {
    if (single_lane_) {
        single_lane_->restart();
        error_ = data_->begin();
    } else {
        error_ = begin_lanes();
    }
    return error_;
}

int Execution::begin_in_single_lane() {
    data_.emplace(*plan_, tables_, *transport_, buffers_);
    std::byte* staging = nullptr;
    const int failure = begin_single_lane(*plan_, tables_, *data_, *transport_, buffers_, workspace_, staging);
    if (failure == 0) single_lane_.emplace(plan_->program, *transport_, *data_, staging, tables_.requests);
    return failure;
}

int Execution::begin_lanes() {
    lanes_.emplace(*plan_, tables_, *transport_, buffers_);
    return lanes_->begin(workspace_);
}

bool Execution::advance(int looks) {
    if (lanes_) return advance_lanes(looks);
    if (!single_lane_->advance(looks)) return false;
    error_ = single_lane_->error();
    return true;
}

bool Execution::advance_lanes(int looks) {
    constexpr std::size_t enough = 256 * 1024;
    const std::size_t before = lanes_->reduced_bytes();
    while (!lanes_->ended()) {
        if (!lanes_->look_around() && --looks < 0) break;
        if (lanes_->reduced_bytes() - before >= enough) break;
    }
    if (!lanes_->ended()) return false;
    error_ = lanes_->end();
    if (sizes_ != nullptr && error_ == 0) read_sizes(*plan_, lanes_->data(), sizes_);
    return true;
}

void Execution::trim() {
    constexpr std::size_t kept = 256 * 1024;
    if (workspace_.trim(kept)) single_lane_.reset();
    temporary_.trim(kept);
}

}  // namespace coll_topo
