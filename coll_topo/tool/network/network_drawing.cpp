// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace coll_topo::tool {

namespace {

constexpr double title_height = 30;

/// A line moved to its right by `spread`, bent to the right by `bulge` more in its middle.
std::vector<Point> curve(Point from, Point to, double spread, double bulge) {
    const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
    const Point right = {-(to.y - from.y) / length, (to.x - from.x) / length};
    const int pieces = bulge == 0 ? 1 : 12;
    std::vector<Point> points;
    for (int i = 0; i <= pieces; ++i) {
        const double way = static_cast<double>(i) / pieces;
        // Flat in the middle, so that a long bow stays near the cells it passes.
        const double aside = spread + bulge * std::min(1.0, 4 * std::min(way, 1 - way));
        points.push_back(
            {from.x + (to.x - from.x) * way + right.x * aside, from.y + (to.y - from.y) * way + right.y * aside});
    }
    return points;
}

void draw_node(Svg& svg, const DrawnNode& node) {
    const Style style = node.host ? Style{"#eaf1fb", "#2f4f7f", 1, {}} : Style{"#e4e4e4", "#555555", 1, {}};
    svg.begin_tooltip(node.tooltip);
    svg.rectangle({node.at.x - node.width / 2, node.at.y - node.height / 2}, node.width, node.height, style);
    svg.end_tooltip();
    if (node.label.empty()) return;
    const double size = std::min(11.0, 1.7 * node.width / static_cast<double>(node.label.size()));
    svg.text({node.at.x, node.at.y + size * 0.36}, node.label, {size, Anchor::middle, "#222222", false, 0});
}

}  // namespace

NetworkDrawing::NetworkDrawing(const Fabric& fabric, const LinkGraph& network)
    : layout_(fabric.torus() != nullptr ? lay_out_torus(fabric, network) : lay_out_switches(fabric, network)) {
    for (DrawnNode& node : layout_.nodes) node.at.y += title_height;
    for (auto& [from, to] : layout_.rails) {
        from.y += title_height;
        to.y += title_height;
    }
    layout_.height += title_height;
}

std::string NetworkDrawing::draw(const std::string& title, const Look& look) const {
    constexpr double character = 8;  // about the width of one
    Svg svg(std::max(layout_.width, 40 + character * static_cast<double>(title.size())), layout_.height);
    svg.text({20, 26}, title, {14, Anchor::start, "#222222", true, 0});
    for (const auto& [from, to] : layout_.rails) svg.line(from, to, {"none", "#bbbbbb", 1, {}});
    for (const Strand& strand : layout_.strands) {
        LinkLook drawn = look(strand.links);
        std::string names = layout_.nodes[strand.from].tooltip;
        if (strand.from != strand.to) names += " to " + layout_.nodes[strand.to].tooltip;
        if (strand.links.size() > 1) names += ", " + std::to_string(strand.links.size()) + " links";
        drawn.tooltip = drawn.tooltip.empty() ? names : names + ": " + drawn.tooltip;
        draw_strand(svg, strand, drawn);
    }
    for (const DrawnNode& node : layout_.nodes) draw_node(svg, node);
    return std::move(svg).finish();
}

std::string NetworkDrawing::draw(const std::string& title) const {
    return draw(title, [](std::span<const int>) { return LinkLook{}; });
}

/// Links inside a box are a frame around it.
void NetworkDrawing::draw_strand(Svg& svg, const Strand& strand, const LinkLook& look) const {
    const Style style = {"none", look.colour, look.width, look.dashes};
    const DrawnNode& from = layout_.nodes[strand.from];
    const DrawnNode& to = layout_.nodes[strand.to];
    const auto start = [](const DrawnNode& node, const DrawnNode& other) {
        return other.rail == 0 ? node.at : Point{other.rail, other.at.y};
    };
    svg.begin_tooltip(look.tooltip);
    if (strand.from == strand.to) {
        const Style frame = {"none", look.colour, look.width + 3, look.dashes};
        svg.rectangle({from.at.x - from.width / 2 - 3, from.at.y - from.height / 2 - 3}, from.width + 6,
                      from.height + 6, frame);
    } else {
        svg.polyline(curve(start(from, to), start(to, from), layout_.spread, strand.bulge), style);
    }
    svg.end_tooltip();
}

}  // namespace coll_topo::tool
