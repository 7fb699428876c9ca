// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/leaf_groups.hpp"
#include "coll_topo/fabric/switch_links.hpp"
#include "coll_topo/tool/network/network_layout.hpp"

#include <algorithm>
#include <numeric>

namespace coll_topo::tool {

namespace {

constexpr int most_named_hosts = 400;
constexpr int most_named_switches_in_a_layer = 60;
constexpr double margin = 50;
constexpr double least_layer_distance = 150;
constexpr double host_distance = 26;

class SwitchLayout {
public:
    SwitchLayout(const Fabric& fabric, const LinkGraph& network)
        : graph_(std::get<SwitchGraph>(fabric.network)),
          network_(network),
          height_(heights(graph_, SwitchLinks(graph_))) {
        single_hosts_ = network.hosts() <= most_named_hosts;
        find_boxes();
        hosts_of_.resize(graph_.switches.size());
        for (int host = 0; host < network.hosts(); ++host)
            hosts_of_[box_of_[graph_.leaf_of_host[host]]].push_back(host);
        layers_ = height_.empty() ? 0 : *std::max_element(height_.begin(), height_.end()) + 1;
    }

    NetworkLayout run() {
        node_of_vertex_.assign(network_.vertices(), -1);
        std::vector<std::vector<int>> layers(layers_);
        for (int index = 0; index < graph_.switches.size(); ++index) {
            if (box_of_[index] == index) layers[height_[index]].push_back(index);
        }
        std::size_t widest = 0;
        for (const auto& layer : layers) widest = std::max(widest, layer.size());
        named_ = widest <= most_named_switches_in_a_layer;
        const double distance = named_ ? 120 : 26;
        layout_.width = 2 * margin + static_cast<double>(widest) * distance;
        layer_distance_ = std::max(least_layer_distance, layout_.width / 8);
        for (int height = 0; height < layers_; ++height) place_layer(layers[height], height);
        for (int index = 0; index < graph_.switches.size(); ++index) {
            node_of_vertex_[network_.vertex_of_switch(index)] =
                node_of_vertex_[network_.vertex_of_switch(box_of_[index])];
            place_hosts(index);
        }
        layout_.strands = make_strands(network_, node_of_vertex_, !single_hosts_, [](const Link&) { return 0.0; });
        for (const DrawnNode& node : layout_.nodes) {
            layout_.height = std::max(layout_.height, node.at.y + node.height / 2 + margin);
        }
        return std::move(layout_);
    }

private:
    /// Where there are too many leaves to tell their links apart, one box for those with the same spines.
    void find_boxes() {
        box_of_.resize(graph_.switches.size());
        std::iota(box_of_.begin(), box_of_.end(), 0);
        leaves_in_.assign(graph_.switches.size(), 1);
        const std::vector<std::int32_t> group_of = leaf_groups(graph_);
        const auto leaves =
            std::count_if(group_of.begin(), group_of.end(), [](std::int32_t group) { return group >= 0; });
        const auto last_group = group_of.empty() ? -1 : *std::max_element(group_of.begin(), group_of.end());
        if (single_hosts_ || leaves <= most_named_switches_in_a_layer || last_group < 1) return;
        std::vector<int> first(last_group + 1, -1);  // by group
        for (int index = 0; index < graph_.switches.size(); ++index) {
            if (group_of[index] < 0) continue;
            int& box = first[group_of[index]];
            if (box < 0) box = index;
            if (box != index) ++leaves_in_[box];
            box_of_[index] = box;
        }
    }

    void place_layer(const std::vector<int>& layer, int height) {
        const double room = (layout_.width - 2 * margin) / static_cast<double>(std::max<std::size_t>(1, layer.size()));
        for (std::size_t i = 0; i < layer.size(); ++i) {
            const std::string name(graph_.switches.name(layer[i]));
            const Point at = {margin + room * (static_cast<double>(i) + 0.5),
                              margin + layer_distance_ * (layers_ - 1 - height) + 12};
            node_of_vertex_[network_.vertex_of_switch(layer[i])] = static_cast<int>(layout_.nodes.size());
            const int others = leaves_in_[layer[i]] - 1;
            const std::string text =
                others == 0 ? name : name + " and " + counted(others, "leaf", "leaves") + " with the same spines";
            layout_.nodes.push_back({at, named_ ? 84.0 : 14.0, named_ ? 24.0 : 14.0, named_ ? name : "", text, false});
        }
    }

    void place_hosts(int index) {
        const std::vector<int>& hosts = hosts_of_[index];
        if (hosts.empty()) return;
        const DrawnNode leaf = layout_.nodes[node_of_vertex_[network_.vertex_of_switch(index)]];
        if (!single_hosts_) {
            const std::string text = counted(static_cast<long long>(hosts.size()), "host", "hosts");
            for (const int host : hosts) node_of_vertex_[host] = static_cast<int>(layout_.nodes.size());
            layout_.nodes.push_back({{leaf.at.x, leaf.at.y + 60},
                                     leaf.width,
                                     leaf.height,
                                     named_ ? text : "",
                                     text + " of " + leaf.tooltip,
                                     true});
            return;
        }
        const double rail = leaf.at.x - (named_ ? 34 : 6);
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            const std::string name = network_.name(hosts[i]);
            node_of_vertex_[hosts[i]] = static_cast<int>(layout_.nodes.size());
            const Point at = {leaf.at.x + (named_ ? 16 : 4), leaf.at.y + 44 + host_distance * static_cast<double>(i)};
            layout_.nodes.push_back(
                {at, named_ ? 62.0 : 12.0, named_ ? 18.0 : 12.0, named_ ? name : "", name, true, rail});
        }
        layout_.rails.push_back({{rail, leaf.at.y}, {rail, layout_.nodes.back().at.y}});
    }

    const SwitchGraph& graph_;
    const LinkGraph& network_;
    std::vector<int> height_;
    int layers_ = 0;
    double layer_distance_ = least_layer_distance;
    bool named_ = true;
    bool single_hosts_ = true;
    std::vector<int> box_of_;     // by switch: the first switch in its box
    std::vector<int> leaves_in_;  // by first switch
    std::vector<std::vector<int>> hosts_of_;
    std::vector<int> node_of_vertex_;
    NetworkLayout layout_;
};

}  // namespace

NetworkLayout lay_out_switches(const Fabric& fabric, const LinkGraph& network) {
    return SwitchLayout(fabric, network).run();
}

}  // namespace coll_topo::tool
