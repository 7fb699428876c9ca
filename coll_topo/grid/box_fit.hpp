// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/grid/axis.hpp"
#include "coll_topo/grid/placement.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// The hosts that ranks are on, numbered by first appearance.
struct HostsInUse {
    HostsInUse(const Fabric& fabric, const Placement& placement);

    std::vector<std::int32_t> hosts;    ///< of the fabric
    std::vector<std::int32_t> of_rank;  ///< which of them each rank is on
};

/// Hosts placed on axes: a full box of places, first axis fastest, and the extra hosts. Hosts are indices into
/// HostsInUse::hosts.
struct BoxFit {
    std::vector<Axis> axes;
    std::vector<std::int32_t> places;
    std::vector<std::int32_t> extra_hosts;
    std::vector<std::int32_t> proxies;  ///< the proxy of each extra host; no place twice
    bool skewed = false;                ///< Grid::skewed()
};

/// The largest box found among the cells, or a line.
BoxFit fit_on_torus(const Fabric& fabric, const Torus& torus, const HostsInUse& in_use);

/// Hosts of a leaf, then leaves by groups, or columns and rows.
BoxFit fit_on_switches(const Fabric& fabric, const SwitchGraph& graph, const HostsInUse& in_use);

/// All on one axis named "line", in the order of cells, or of leaves. It is as fast as the slowest link of the file, of
/// those whose bandwidth is known. On a torus, as many messages share a link as meet there while each host sends to the
/// next, and neighbours are as far apart as two of them are.
BoxFit fit_in_line(const Fabric& fabric, const HostsInUse& in_use);

}  // namespace coll_topo
