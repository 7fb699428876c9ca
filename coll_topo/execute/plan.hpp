// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/block_layout.hpp"
#include "coll_topo/schedule/untouched_operands.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coll_topo {

struct Plan;

/// What one run of a plan at a time writes down about the sizes of its data; reused as long as they stay the same.
struct PlanTables {
    /// Makes room for what the plan needs, of which nothing is known then.
    void fit(const Plan& plan);

    static constexpr std::size_t unknown = ~std::size_t{0};

    /// Staging memory for received operands by lane and parity of the step, for the data it was last computed for.
    struct Staging {
        bool needed = false;  ///< the program reduces what it receives
        std::size_t elements = unknown;
        std::ptrdiff_t extent = 0;
        std::ptrdiff_t tail = 0;
        std::size_t segment = 0;
        std::vector<std::size_t> begin;  ///< bytes, index lane * 2 + parity; one more for the end
    } staging;
    std::vector<void*> requests;           ///< of a single lane, by action; null while nothing runs
    std::vector<std::size_t> piece_table;  ///< with pieces of different sizes: where blocks begin

    /// Where the blocks of scratch begin, if they differ in size, for the data it was last computed for.
    struct ScratchTable {
        std::size_t elements = unknown;
        std::vector<std::size_t> begin;
    } scratch_table;
};

/// A program and what running it again and again needs; made once, then nothing is allocated but by Workspace.
struct Plan {
    Plan(Program program, Collective collective, int ranks, int rank, std::size_t segment_bytes);

    /// Whether a send or a receive is of blocks that hold the result of an allreduce, not a partial sum.
    bool moves_results(const Action& action) const { return results_moved[&action - program.actions.data()]; }

    /// No message is longer than so many elements, where the vector, or each piece, has `elements`.
    std::size_t longest_message_elements(std::size_t elements) const {
        // The smallest messages notice divisions.
        return longest_message * (layout.cuts() == 1 ? elements : (elements + layout.cuts() - 1) / layout.cuts());
    }

    const std::uint64_t number;  ///< no other plan of the process has it
    const Program program;
    const Collective collective;
    const int ranks;
    const int rank;
    const std::size_t segment_bytes;    ///< longest message; 0: never cut
    const BlockLayout layout;           ///< buffers.elements are those of the vector, or of a piece
    int largest_step = 0;               ///< transfers
    int steps_at_once = 1;              ///< of a lane, at most: some end, one is in progress, some have receives posted
    std::size_t longest_message = 0;    ///< blocks
    bool single_lane = false;           ///< see is_single_lane()
    bool one_message_each_way = false;  ///< see has_one_message_each_way()
    std::optional<Buffer> scratch_in;   ///< see scratch_in_buffer()
    UntouchedOperands untouched;        ///< what may be read from a send buffer
    std::ptrdiff_t steps_in_place = 0;  ///< steps that have something to do where scratch is in that buffer
    BlockRange own_piece_in_buffer;     ///< see own_piece_in_buffer()
    BlockRange piece_in_output;         ///< see scatters_in_output()
    bool own_piece_late = false;        ///< see may_copy_own_piece_late()

    bool reduces = false;             ///< what it receives
    std::vector<bool> results_moved;  ///< by action: see moves_results()
    PlanTables tables;                ///< of runs one after the other
};

}  // namespace coll_topo
