// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/latin_square.hpp"

#include "coll_topo/fabric/finite_field.hpp"

#include <string>

namespace coll_topo {

namespace {

/// X, X(0) .. X(n-1), X(0,0), X(0,1) ...
void add_names(NameTable& names, const std::string& letter, int order) {
    names.add(letter);
    for (int c = 0; c < order; ++c) names.add(letter + "(" + std::to_string(c) + ")");
    for (int c = 0; c < order; ++c) {
        for (int r = 0; r < order; ++r) {
            names.add(letter + "(" + std::to_string(c) + "," + std::to_string(r) + ")");
        }
    }
}

}  // namespace

SwitchGraph latin_square(int order, int hosts_per_leaf, SwitchLink cable) {
    const auto field = FiniteField::of_order(order);
    SwitchGraph graph;
    if (!field) return graph;
    add_names(graph.switches, "P", order);
    add_names(graph.switches, "L", order);
    const auto leaves = static_cast<int>(latin_square_leaves(order));
    for (int leaf = 0; leaf < leaves; ++leaf) graph.leaf_of_host.insert(graph.leaf_of_host.end(), hosts_per_leaf, leaf);

    // Points and lines are numbered alike: 0, then 1 + c, then 1 + n + c*n + r.
    const auto connect = [&](int point, int line) {
        cable.from = point;
        cable.to = leaves + line;
        graph.links.push_back(cable);
    };
    const auto pair = [order](int c, int r) { return 1 + order + c * order + r; };
    connect(0, 0);
    for (int c = 0; c < order; ++c) connect(0, 1 + c);
    for (int c = 0; c < order; ++c) {
        connect(1 + c, 0);
        for (int r = 0; r < order; ++r) connect(1 + c, pair(c, r));
    }
    // P(i,j) is on L(i), and for every slope c on the one L(c,r) with r + c*i = j.
    for (int i = 0; i < order; ++i) {
        std::vector<std::vector<int>> lines(order);  // by j
        for (int c = 0; c < order; ++c) {
            for (int r = 0; r < order; ++r) lines[field->add(r, field->multiply(c, i))].push_back(pair(c, r));
        }
        for (int j = 0; j < order; ++j) {
            connect(pair(i, j), 1 + i);
            for (const int line : lines[j]) connect(pair(i, j), line);
        }
    }
    return graph;
}

}  // namespace coll_topo
