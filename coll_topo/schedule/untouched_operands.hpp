// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// What a program that combines reads of its rank's own operands before it has changed them. Where they lie elsewhere
/// than where the program works (in `output` or `scratch`), as in a send buffer, such actions can read them there, and
/// few of them need be copied.
struct UntouchedOperands {
    static constexpr std::int32_t none = -1;    ///< reads none
    static constexpr std::int32_t brings = -2;  ///< only copies them to where the program works

    /// By action: `none`, `brings`, or the block of the vector from which on it reads untouched operands: of a send,
    /// copy or reduce instead of its blocks; of a receive_reduce, what is combined with what is received. Empty: all
    /// operands must be where the program expects them.
    std::vector<std::int32_t> first_block;
    /// By block where the program works: its operands are needed there after all, since an action needs it together
    /// with blocks that have been changed, or that lie elsewhere in the vector.
    std::vector<bool> needed;

    bool only_brings(const Program& program, const Action& action) const {
        return !first_block.empty() && first_block[&action - program.actions.data()] == brings;
    }

    /// visit(first, count) for the runs of needed blocks in a range.
    template <typename Visit>
    void for_needed(std::int32_t first, std::int32_t count, Visit&& visit) const {
        const std::int32_t end = first + count;
        for (std::int32_t block = first, next = first; block < end; block = next) {
            for (next = block + 1; next < end && needed[next] == needed[block];) ++next;
            if (needed[block]) visit(block, next - block);
        }
    }
};

UntouchedOperands find_untouched_operands(const Program& program, Collective collective);

}  // namespace coll_topo
