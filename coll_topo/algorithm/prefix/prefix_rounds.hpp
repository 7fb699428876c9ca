// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/cost/rank_order_cost.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace coll_topo {

/// Where a member of a list of ranks keeps what members have contributed, each a whole vector.
struct PrefixBlocks {
    Blocks through_own;                      ///< of the members up to this one; its own contribution at the start
    bool keeps_through_own = false;          ///< it is wanted at the end, not only for others
    std::optional<Blocks> before = {};       ///< where that of the members before this one is wanted by itself
    Blocks arriving{Buffer::scratch, 0, 0};  ///< room for what is combined with both; not needed without `before`
};

/// Rounds in which member n sends to member n + 1, then n + 2, n + 4 and so on what it knows of the members up to
/// itself, all of them at once.
void write_prefix_rounds(ProgramBuilder& builder, std::span<const std::int32_t> members, int own,
                         const PrefixBlocks& blocks);

/// Predicted seconds of the rounds of several lists at once, where a rank combines for `reduction` seconds in each.
double prefix_rounds_seconds(RankOrderCost& cost, std::span<const std::span<const std::int32_t>> lists, double bytes,
                             double reduction);

}  // namespace coll_topo
