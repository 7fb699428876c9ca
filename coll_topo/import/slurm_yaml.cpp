// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/slurm_hostlist.hpp"
#include "coll_topo/import/slurm_topology.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/wording.hpp"

#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <exception>

namespace coll_topo::importing {

namespace {

class Reader {
public:
    explicit Reader(std::string file) : file_(std::move(file)) {}

    Expected<std::vector<SlurmTopology>> read(const YAML::Node& root) {
        if (!root.IsSequence()) return wrong(root, "expected a list of topologies, - topology: NAME");
        std::vector<SlurmTopology> topologies;
        for (const YAML::Node& node : root) {
            ASSIGN_OR_RETURN(auto topology, read_topology(node));
            topologies.push_back(std::move(topology));
        }
        return topologies;
    }

private:
    SourceLocation where(const YAML::Node& node) const {
        const YAML::Mark mark = node.Mark();
        return mark.is_null() ? SourceLocation{file_, 1} : SourceLocation{file_, mark.line + 1, mark.column + 1};
    }
    tl::unexpected<Error> wrong(const YAML::Node& node, std::string message) const {
        return failure(std::move(message), where(node));
    }

    Expected<std::string> text(const YAML::Node& parent, const char* key) const {
        if (!parent.IsMap() || !parent[key] || !parent[key].IsScalar() || parent[key].Scalar().empty()) {
            return wrong(parent, std::string("expected ") + key + ": and a value");
        }
        return parent[key].Scalar();
    }

    Expected<int> number(const YAML::Node& node, int least) const {
        int value = 0;
        if (!node.IsDefined() || !node.IsScalar() || !YAML::convert<int>::decode(node, value) || value < least ||
            value > most_names) {
            return wrong(node,
                         "expected a whole number, " + std::to_string(least) + " to " + std::to_string(most_names));
        }
        return value;
    }

    Expected<std::vector<std::string>> names(const YAML::Node& parent, const char* key) const {
        const bool is_empty =
            !parent[key] || parent[key].IsNull() || (parent[key].IsScalar() && parent[key].Scalar().empty());
        if (is_empty) return std::vector<std::string>{};
        ASSIGN_OR_RETURN(const auto list, text(parent, key));
        return hostlists_.read(list, where(parent[key]));
    }

    /// Calls `read` with each element of a list.
    template <typename Read>
    Expected<void> for_each(const YAML::Node& parent, const char* key, const Read& read) const {
        if (!parent.IsMap() || !parent[key] || !parent[key].IsSequence()) {
            return wrong(parent, std::string("expected ") + key + ": and a list");
        }
        for (const YAML::Node& node : parent[key]) {
            if (!node.IsMap()) return wrong(node, std::string("expected an element of ") + key);
            RETURN_IF_ERROR(read(node));
        }
        return {};
    }

    Expected<SlurmTopology> read_topology(const YAML::Node& node) const {
        SlurmTopology topology;
        topology.where = where(node);
        ASSIGN_OR_RETURN(topology.name, text(node, "topology"));
        if (node["cluster_default"]) {
            bool is_default = false;
            if (!YAML::convert<bool>::decode(node["cluster_default"], is_default)) {
                return wrong(node["cluster_default"], "expected true or false");
            }
            topology.is_default = is_default;
        }
        if (node["tree"]) {
            RETURN_IF_ERROR(read_tree(node["tree"], topology));
        } else if (node["block"]) {
            RETURN_IF_ERROR(read_block(node["block"], topology));
        } else if (node["ring"]) {
            RETURN_IF_ERROR(read_ring(node["ring"], topology));
        } else if (node["torus3d"]) {
            RETURN_IF_ERROR(read_torus3d(node["torus3d"], topology));
        } else if (node["flat"]) {
            topology.is_flat = true;
        } else {
            return wrong(node, "expected tree, block, flat, ring or torus3d");
        }
        return topology;
    }

    Expected<void> read_tree(const YAML::Node& tree, SlurmTopology& topology) const {
        return for_each(tree, "switches", [&](const YAML::Node& node) -> Expected<void> {
            SlurmSwitch own;
            own.where = where(node);
            ASSIGN_OR_RETURN(own.name, text(node, "switch"));
            ASSIGN_OR_RETURN(own.nodes, names(node, "nodes"));
            ASSIGN_OR_RETURN(own.children, names(node, "children"));
            topology.switches.push_back(std::move(own));
            return {};
        });
    }

    Expected<void> read_block(const YAML::Node& block, SlurmTopology& topology) const {
        if (block.IsMap() && block["block_sizes"]) {
            if (!block["block_sizes"].IsSequence()) return wrong(block["block_sizes"], "expected a list of sizes");
            for (const YAML::Node& size : block["block_sizes"]) {
                ASSIGN_OR_RETURN(const int value, number(size, 1));
                topology.block_sizes.push_back(value);
            }
            std::sort(topology.block_sizes.begin(), topology.block_sizes.end());
        }
        return for_each(block, "blocks", [&](const YAML::Node& node) -> Expected<void> {
            SlurmBlock own;
            own.where = where(node);
            ASSIGN_OR_RETURN(own.name, text(node, "block"));
            ASSIGN_OR_RETURN(own.nodes, names(node, "nodes"));
            topology.blocks.push_back(std::move(own));
            return {};
        });
    }

    Expected<void> read_ring(const YAML::Node& ring, SlurmTopology& topology) const {
        return for_each(ring, "rings", [&](const YAML::Node& node) -> Expected<void> {
            SlurmBlock own;
            own.where = where(node);
            ASSIGN_OR_RETURN(own.name, text(node, "ring"));
            ASSIGN_OR_RETURN(own.nodes, names(node, "nodes"));
            topology.rings.push_back(std::move(own));
            return {};
        });
    }

    Expected<std::array<int, 3>> point(const YAML::Node& parent, const char* key, int least) const {
        if (!parent[key] || !parent[key].IsMap()) return wrong(parent, std::string("expected ") + key + ": x, y and z");
        std::array<int, 3> values = {};
        for (std::size_t d = 0; d < 3; ++d) {
            const YAML::Node axis = parent[key][std::string(1, static_cast<char>('x' + d))];
            if (!axis) return wrong(parent[key], std::string("expected ") + key + ": x, y and z");
            ASSIGN_OR_RETURN(values[d], number(axis, least));
        }
        return values;
    }

    Expected<void> read_torus3d(const YAML::Node& torus3d, SlurmTopology& topology) const {
        return for_each(torus3d, "toruses", [&](const YAML::Node& node) -> Expected<void> {
            SlurmTorus own;
            own.where = where(node);
            ASSIGN_OR_RETURN(own.name, text(node, "name"));
            ASSIGN_OR_RETURN(own.sizes, point(node, "dims", 1));
            if (node["regions"]) {
                RETURN_IF_ERROR(for_each(node, "regions", [&](const YAML::Node& part) -> Expected<void> {
                    SlurmRegion region;
                    region.where = where(part);
                    ASSIGN_OR_RETURN(region.anchor, point(part, "anchor", 0));
                    ASSIGN_OR_RETURN(region.sizes, point(part, "dims", 1));
                    ASSIGN_OR_RETURN(region.nodes, names(part, "nodes"));
                    own.regions.push_back(std::move(region));
                    return {};
                }));
            } else {
                SlurmRegion all{{}, own.sizes, {}, own.where};
                ASSIGN_OR_RETURN(all.nodes, names(node, "nodes"));
                own.regions.push_back(std::move(all));
            }
            topology.tori.push_back(std::move(own));
            return {};
        });
    }

    std::string file_;
    mutable HostlistReader hostlists_;
};

}  // namespace

bool is_slurm_yaml(std::string_view text) {
    SourceLines lines(text, {});
    SourceLine line;
    while (lines.next(line)) {
        const std::string_view own = without_blanks_around(line.text);
        if (own.empty() || own.front() == '#' || own == "---") continue;
        return own.starts_with("- topology:");
    }
    return false;
}

Expected<std::vector<SlurmTopology>> read_slurm_yaml(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    try {
        return Reader(file).read(YAML::Load(std::string(checked)));
    } catch (const YAML::Exception& error) {
        const bool known = !error.mark.is_null();
        return failure("no YAML: " + error.msg, known ? SourceLocation{file, error.mark.line + 1, error.mark.column + 1}
                                                      : SourceLocation{file, 1});
    }
}

}  // namespace coll_topo::importing
