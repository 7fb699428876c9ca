// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/torus_load.hpp"

#include <algorithm>

namespace coll_topo {

TorusLoad::TorusLoad(TorusRoutes routes) : routes_(std::move(routes)), busiest_(torus().dimensions().size(), 0) {}

void TorusLoad::add(const TorusLeg& leg, double amount) {
    take_in_new_lines();
    double* const change = (leg.positive ? positive_ : negative_).data() + leg.line;
    const int size = torus().dimensions()[leg.dimension].size;
    const int last = leg.first + leg.hops;
    change[leg.first] += amount;
    change[last < size ? last : last - size] -= amount;
    if (last >= size) change[0] += amount;
}

void TorusLoad::take_in_new_lines() {
    const auto cables = static_cast<std::size_t>(routes_.cables());
    if (positive_.size() == cables) return;
    positive_.resize(cables, 0);
    negative_.resize(cables, 0);
}

void TorusLoad::sum_up() {
    take_in_new_lines();
    std::ranges::fill(busiest_, 0);
    for (int line = 0; line < routes_.cables();) {
        const int dimension = routes_.dimension(line);
        const int size = torus().dimensions()[dimension].size;
        for (std::vector<double>* links : {&positive_, &negative_}) {
            double sum = 0, most = 0;
            for (double& link : std::span(*links).subspan(line, size)) most = std::max(most, link = sum += link);
            busiest_[dimension] = std::max(busiest_[dimension], most);
        }
        line += size;
    }
}

void TorusLoad::clear() {
    std::ranges::fill(positive_, 0);
    std::ranges::fill(negative_, 0);
}

double TorusLoad::busiest(const TorusLeg& leg) const {
    if (leg.line >= static_cast<int>(positive_.size())) return 0;  // no message has come to this line
    const double* const links = (leg.positive ? positive_ : negative_).data() + leg.line;
    const int size = torus().dimensions()[leg.dimension].size;
    double busiest = 0;
    for (int link = leg.first; link < leg.first + leg.hops; ++link) busiest = std::max(busiest, links[link % size]);
    return busiest;
}

}  // namespace coll_topo
