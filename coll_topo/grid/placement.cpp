// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/grid/placement.hpp"

#include <set>
#include <tuple>

namespace coll_topo {

int shared_processors(const Placement& placement) {
    std::set<std::tuple<int, int, int, int, std::uint32_t>> bindings;
    std::uint32_t processors = 0;
    for (const RankLocation& at : placement) {
        if (at.processors == 0) return 0;
        if (bindings.emplace(at.package, at.numa, at.l3, at.core, at.processors).second) processors += at.processors;
    }
    return static_cast<int>(processors);
}

}  // namespace coll_topo
