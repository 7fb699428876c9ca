// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/link_graph.hpp"
#include "coll_topo/tool/network/network_layout.hpp"

#include <functional>
#include <span>
#include <string>

namespace coll_topo::tool {

/// How a link is drawn.
struct LinkLook {
    std::string colour = "#5b7ba3";
    double width = 1.2;       ///< pixels
    std::string tooltip;      ///< below the names of its ends; may be empty
    std::string dashes = {};  ///< as in Style
};

/// A drawing of a network as SVG. Each direction of a cable is a line of its own.
class NetworkDrawing {
public:
    /// Neither argument is kept.
    NetworkDrawing(const Fabric& fabric, const LinkGraph& network);

    /// Gives the look of links (indices of LinkGraph) drawn as one line. There is more than one only in large networks,
    /// where a box stands for several hosts.
    using Look = std::function<LinkLook(std::span<const int> links)>;

    /// The drawing, `title` above it.
    std::string draw(const std::string& title, const Look& look) const;
    /// The same with all links alike.
    std::string draw(const std::string& title) const;

private:
    void draw_strand(Svg& svg, const Strand& strand, const LinkLook& look) const;

    NetworkLayout layout_;
};

}  // namespace coll_topo::tool
