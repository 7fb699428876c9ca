// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/drawing/svg.hpp"
#include "coll_topo/fabric/link_graph.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::tool {

/// A host, router or switch in a drawing, or several of them in one box.
struct DrawnNode {
    Point at;  ///< centre
    double width;
    double height;
    std::string label;    ///< what is written in the box; empty where there is no room
    std::string tooltip;  ///< what it is
    bool host;            ///< has hosts; else routers or switches only
    double rail = 0;      ///< not 0: x of the line down from its leaf, from which its cables start
};

/// Links from one node to another, drawn as one line: a single one, unless nodes stand for several vertices.
struct Strand {
    int from;
    int to;  ///< may be `from`: links inside a box
    std::vector<int> links;
    double bulge;  ///< how far the line bends to its right, pixels; negative: to its left
};

/// Where everything of a network is in a drawing.
struct NetworkLayout {
    double width = 0;  ///< pixels
    double height = 0;
    double spread = 2.5;  ///< how far a line is to the right of the middle, so that both directions can be told apart
    std::vector<DrawnNode> nodes;
    std::vector<Strand> strands;
    std::vector<std::pair<Point, Point>> rails;  ///< lines that hosts hang on, which stand for no link
};

/// A torus as a plane of cells, further dimensions as planes between, beside and below each other. Above 400 cells
/// without names; above 40 000 links one box for each of at most 256 parts (rows, planes, ...).
NetworkLayout lay_out_torus(const Fabric& fabric, const LinkGraph& network);

/// Switches in layers, the hosts of a leaf below it; above 400 hosts one box for all hosts of a leaf, and above 60
/// leaves one for those with the same spines, if not all have the same.
NetworkLayout lay_out_switches(const Fabric& fabric, const LinkGraph& network);

/// For layouts: the strands of all links, given the node of each vertex and the bend of the first link between two
/// nodes. Links between the same two nodes are one strand if `bundle`, else lines side by side.
template <typename Bend>
std::vector<Strand> make_strands(const LinkGraph& network, const std::vector<int>& node_of_vertex, bool bundle,
                                 Bend&& bend);

template <typename Bend>
std::vector<Strand> make_strands(const LinkGraph& network, const std::vector<int>& node_of_vertex, bool bundle,
                                 Bend&& bend) {
    constexpr double next_cable = 9;  // pixels between parallel cables
    std::vector<Strand> strands;
    std::map<std::pair<int, int>, std::pair<int, int>> known;  // nodes -> first strand, how many
    for (std::size_t i = 0; i < network.links().size(); ++i) {
        const Link& link = network.links()[i];
        const int from = node_of_vertex[link.from], to = node_of_vertex[link.to];
        auto& [first, count] = known.try_emplace({from, to}, static_cast<int>(strands.size()), 0).first->second;
        if (bundle && count > 0) {
            strands[first].links.push_back(static_cast<int>(i));
            continue;
        }
        // The second cable bows the other way in the other direction, so that both directions are side by side.
        const double first_bend = bend(link);
        const bool to_left = first_bend < 0 || (first_bend == 0 && from > to);
        const double bulge = first_bend + (to_left ? -next_cable : next_cable) * count;
        strands.push_back({from, to, {static_cast<int>(i)}, bulge});
        ++count;
    }
    return strands;
}

}  // namespace coll_topo::tool
