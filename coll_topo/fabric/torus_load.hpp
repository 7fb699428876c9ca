// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus_routes.hpp"

#include <utility>
#include <vector>

namespace coll_topo {

/// What messages put on the links of a torus, each way, in whatever unit they are counted.
class TorusLoad {
public:
    explicit TorusLoad(TorusRoutes routes);

    const Torus& torus() const { return routes_.torus(); }

    template <typename Visit>
    void for_legs(int from, int to, Visit&& visit) {
        routes_.for_legs(from, to, std::forward<Visit>(visit));
    }

    /// Adds a message on a leg of its route. Takes constant time.
    void add(const TorusLeg& leg, double amount);
    /// Once after all messages, before the queries below. Takes time that grows with the lines in use.
    void sum_up();
    void clear();

    /// What the busiest link of a leg carries. Takes time that grows with the hops.
    double busiest(const TorusLeg& leg) const;
    /// The same for all links of a dimension.
    double busiest(int dimension) const { return busiest_[dimension]; }

private:
    void take_in_new_lines();

    TorusRoutes routes_;
    std::vector<double> positive_, negative_;  // by cable; before sum_up: what begins (+) and ends (-) there
    std::vector<double> busiest_;              // by dimension
};

}  // namespace coll_topo
