// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/grid/box_fit.hpp"
#include "coll_topo/grid/grid.hpp"

#include <utility>

namespace coll_topo {

/// Makes a grid from where hosts stand, and from the ranks on them.
class GridBuilder {
public:
    GridBuilder(const Fabric& fabric, const Placement& placement, const HostsInUse& in_use)
        : fabric_(fabric), placement_(placement), in_use_(in_use) {}

    Grid build(BoxFit fit);

    /// The same hosts and ranks with every host in the box, which is then a line in the order of their numbers: for
    /// algorithms that look at cells, not at axes, or to which it matters little who is near. For a message between any
    /// two, the axis has the latency that there is on average (through switches the longest), and the least bandwidth.
    static Grid on_one_axis(Grid grid);

private:
    void number_hosts(const BoxFit& fit);
    void arrange();
    void fill_hosts();

    /// Orders the ranks of each host so that the first of every memory domain come first, then the second of every
    /// domain …
    void prefer_aggregators();
    void assign_proxies(const BoxFit& fit);
    void order_by_switches();
    void look_up_by_leaf();

    const Fabric& fabric_;
    const Placement& placement_;
    const HostsInUse& in_use_;
    Grid grid_;
};

}  // namespace coll_topo
