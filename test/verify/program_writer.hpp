// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/builder.hpp"
#include "coll_topo/verify/proof.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace coll_topo::test {

inline Blocks input(int first, int count = 1) {
    return {Buffer::input, first, count};
}
inline Blocks output(int first, int count = 1) {
    return {Buffer::output, first, count};
}
inline Blocks scratch(int first, int count = 1) {
    return {Buffer::scratch, first, count};
}

/// Writes a program action by action without checking that it makes sense, so that tests can write wrong ones too.
/// Everything goes to the step begun last, in the lane begun last.
class ProgramWriter {
public:
    explicit ProgramWriter(int blocks, int scratch_blocks = 0) {
        program_.blocks = blocks;
        program_.scratch_blocks = scratch_blocks;
    }

    ProgramWriter& scratch_order(std::vector<std::int32_t> order) {
        program_.scratch_order = std::move(order);
        return *this;
    }
    ProgramWriter& lane(int window = 1, int sends_at_once = 0) {
        const auto next = static_cast<std::int32_t>(program_.steps.size());
        program_.lanes.push_back({next, next, window, sends_at_once});
        return *this;
    }
    ProgramWriter& step(bool sends_overlap_receives = false, int receives_ahead = 0, int passes_sends = 0) {
        if (program_.lanes.empty()) lane();
        const auto next = static_cast<std::int32_t>(program_.actions.size());
        program_.steps.push_back({next, next, sends_overlap_receives, static_cast<std::int8_t>(receives_ahead),
                                  static_cast<std::int8_t>(passes_sends)});
        ++program_.lanes.back().end_step;
        return *this;
    }
    ProgramWriter& send(int peer, Blocks from) { return add(ActionKind::send, from, peer, from, Operand::right); }
    ProgramWriter& receive(int peer, Blocks to) { return add(ActionKind::receive, to, peer, to, Operand::right); }
    ProgramWriter& receive_reduce(int peer, Blocks to, Operand operand = Operand::right) {
        return add(ActionKind::receive_reduce, to, peer, to, operand);
    }
    ProgramWriter& copy(Blocks from, Blocks to) { return add(ActionKind::copy, from, -1, to, Operand::right); }
    ProgramWriter& reduce(Blocks from, Blocks to, Operand operand = Operand::right) {
        return add(ActionKind::reduce, from, -1, to, operand);
    }

    operator Program() const { return program_; }

private:
    ProgramWriter& add(ActionKind kind, Blocks blocks, int peer, Blocks to, Operand operand) {
        program_.actions.push_back(
            {kind, blocks.buffer, to.buffer, operand, peer, blocks.first, blocks.count, to.first});
        ++program_.steps.back().end;
        return *this;
    }

    Program program_;
};

/// What the proof finds wrong, "" if nothing.
inline std::string finding(Collective collective, const Schedule& schedule, bool in_order = false, int root = 0,
                           const Cartesian* cartesian = nullptr) {
    const auto proved = prove(collective, schedule, in_order, root, cartesian);
    return proved ? "" : proved.error().text();
}

/// Whether a finding contains what is expected of it; a failed check shows both.
inline testing::AssertionResult says(const std::string& finding, const std::string& expected) {
    if (finding.find(expected) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "finding:  " << finding << "\nexpected: " << expected;
}

/// Two ranks that exchange their one block and add up: the shortest right allreduce. In rank order.
inline Schedule exchange() {
    return {ProgramWriter(1).step(true).receive_reduce(1, output(0), Operand::right).send(1, output(0)),
            ProgramWriter(1).step(true).receive_reduce(0, output(0), Operand::left).send(0, output(0))};
}

}  // namespace coll_topo::test
