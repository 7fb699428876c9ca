// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/select/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace coll_topo {

/// The calls on short data that the previous module does in any case, so that they need not be looked at one by one.
struct LeftToPrevious {
    static constexpr std::size_t all = SIZE_MAX;

    std::size_t below = 0;  ///< bytes; 0: none of the calls
    std::string why = {};   ///< "by the rule at FILE:3"; the reasons for different sizes are separated by commas
};

/// Where the user has named no algorithm, and results need not be reproducible. `rules` are those for the collective.
/// `host_memory`: as in Preferences.
LeftToPrevious left_to_previous(const Grid& grid, Collective collective, const RuleTable& rules, bool host_memory);

}  // namespace coll_topo
