// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"
#include "coll_topo/tool/network/network_layout.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo::tool {

namespace {

constexpr std::int64_t most_named_cells = 400;
constexpr std::size_t most_single_links = 40000;
constexpr std::int64_t most_boxes = 256;
constexpr double margin = 50;

/// Places the cells, or boxes of all cells that agree in the dimensions from `first_drawn` on.
class TorusLayout {
public:
    TorusLayout(const Fabric& fabric, const LinkGraph& network)
        : fabric_(fabric), network_(network), torus_(*fabric.torus()) {
        named_ = torus_.cells() <= most_named_cells;
        step_ = named_ ? 76 : 16;
        if (network.links().size() > most_single_links) group();
    }

    NetworkLayout run() {
        place_cells();
        place_hosts_beside_routers();
        layout_.spread = named_ ? 2.5 : 1.5;
        const bool boxes = first_drawn_ > 0;
        layout_.strands =
            make_strands(network_, node_of_vertex_, boxes, [this](const Link& link) { return bend(link); });
        for (const DrawnNode& node : layout_.nodes) {
            layout_.width = std::max(layout_.width, node.at.x + node.width / 2 + margin);
            layout_.height = std::max(layout_.height, node.at.y + node.height / 2 + margin);
        }
        return std::move(layout_);
    }

private:
    void group() {
        std::int64_t boxes = torus_.cells();
        const int dimensions = static_cast<int>(torus_.dimensions().size());
        while (boxes > most_boxes && first_drawn_ < dimensions) boxes /= torus_.dimensions()[first_drawn_++].size;
        step_ = 110;
        named_ = true;
    }

    /// The first dimension runs to the right, the second down, the third to the lower right with the planes between
    /// each other, so that no two lines between neighbours lie upon each other. Further ones run right and down in
    /// turns.
    Point place(std::int64_t cell) const {
        const auto& dimensions = torus_.dimensions();
        const int count = static_cast<int>(dimensions.size());
        const int planes = first_drawn_ + 2 < count ? dimensions[first_drawn_ + 2].size : 1;
        double to_right = 0, down = 0;
        double step_right = step_ * planes, step_down = planes > 1 ? 0.6 * step_ * planes : step_;
        for (int d = first_drawn_; d < count; ++d) {
            const int position = torus_.coordinate(cell, d);
            if (d - first_drawn_ == 2) {
                to_right += position * 0.8 * step_;
                down += position * 0.55 * step_;
                continue;
            }
            const int turn = d - first_drawn_;
            const bool horizontal = turn == 0 || (turn > 2 && turn % 2 == 1);
            double& step = horizontal ? step_right : step_down;
            (horizontal ? to_right : down) += position * step;
            step = step * dimensions[d].size + step_;
        }
        return {margin + step_ / 2 + to_right, margin + step_ / 2 + down};
    }

    void place_cells() {
        node_of_vertex_.assign(network_.vertices(), -1);
        cell_of_vertex_.assign(network_.vertices(), -1);
        std::int64_t box_size = 1;
        for (int d = 0; d < first_drawn_; ++d) box_size *= torus_.dimensions()[d].size;
        for (std::int64_t cell = 0; cell < torus_.cells(); ++cell) {
            if (cell % box_size == 0) add_node(cell, box_size);
            node_of_vertex_[network_.vertex_of_cell(cell)] = static_cast<int>(layout_.nodes.size()) - 1;
            cell_of_vertex_[network_.vertex_of_cell(cell)] = cell;
        }
    }

    void add_node(std::int64_t cell, std::int64_t box_size) {
        const int vertex = network_.vertex_of_cell(cell);
        const bool host = box_size > 1 || vertex < network_.hosts();
        std::string name = network_.name(vertex);
        if (box_size > 1) {
            name = "(";
            for (int d = 0; d < static_cast<int>(torus_.dimensions().size()); ++d) {
                if (d > 0) name += ",";
                name += d < first_drawn_ ? "*" : std::to_string(torus_.coordinate(cell, d));
            }
            name += "), " + counted(box_size, "cell", "cells");
        }
        const double width = box_size > 1 ? 90 : named_ ? 46 : 8;
        const double height = box_size > 1 ? 30 : named_ ? 20 : 8;
        layout_.nodes.push_back({place(cell), width, height, named_ ? name : "", name, host});
    }

    /// Where hosts have cables of their own, the router is in the middle of the cell and the host beside it.
    void place_hosts_beside_routers() {
        for (int host = 0; host < network_.hosts(); ++host) {
            if (node_of_vertex_[host] >= 0) continue;
            const int router = network_.vertex_of_cell(fabric_.cell(host));
            if (first_drawn_ > 0) {
                node_of_vertex_[host] = node_of_vertex_[router];
                continue;
            }
            DrawnNode& centre = layout_.nodes[node_of_vertex_[router]];
            DrawnNode node = centre;
            centre.width = centre.height = named_ ? 10 : 4;
            centre.label.clear();
            node.at = {node.at.x + step_ * 0.45, node.at.y - step_ * 0.28};  // off the lines to other routers
            node.tooltip = network_.name(host);
            if (named_) node.label = node.tooltip;
            node.host = true;
            node_of_vertex_[host] = static_cast<int>(layout_.nodes.size());
            layout_.nodes.push_back(std::move(node));
        }
    }

    /// Straight to a neighbour; in a bow past other cells on the way, both directions on the same side.
    double bend(const Link& link) const {
        const std::int64_t from = cell_of_vertex_[link.from], to = cell_of_vertex_[link.to];
        if (from < 0 || to < 0) return 0;
        for (int d = 0; d < static_cast<int>(torus_.dimensions().size()); ++d) {
            const int distance = torus_.coordinate(to, d) - torus_.coordinate(from, d);
            if (distance == 0) continue;
            const bool neighbours = std::abs(distance) == 1 && d - first_drawn_ <= 2;
            return neighbours ? 0 : (distance > 0 ? 0.3 : -0.3) * std::min(step_, 76.0);
        }
        return 0;
    }

    const Fabric& fabric_;
    const LinkGraph& network_;
    const Torus& torus_;
    NetworkLayout layout_;
    bool named_ = true;
    double step_ = 0;
    int first_drawn_ = 0;  // dimensions before this one are inside the boxes
    std::vector<int> node_of_vertex_;
    std::vector<std::int64_t> cell_of_vertex_;
};

}  // namespace

NetworkLayout lay_out_torus(const Fabric& fabric, const LinkGraph& network) {
    return TorusLayout(fabric, network).run();
}

}  // namespace coll_topo::tool
