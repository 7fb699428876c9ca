// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/import/slurm_hostlist.hpp"
#include "coll_topo/import/slurm_topology.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/hostlist.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/statement.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace coll_topo::importing {

namespace {

constexpr KeyRule switch_keys[] = {{"Nodes"}, {"Switches"}, {"LinkSpeed"}, {"Level"}};
constexpr KeyRule block_keys[] = {{"Nodes"}, {"BlockIndex"}, {"BlockSize"}};
constexpr KeyRule ring_keys[] = {{"Nodes"}, {"RingSize"}};
constexpr KeyRule torus_keys[] = {{"Dims"}, {"Nodes"}, {"PlacementDims"}, {"Anchors"}};

constexpr StatementRule statements[] = {
    {StatementKind::foreign, "SwitchName", true, switch_keys},
    {StatementKind::foreign, "BlockName", true, block_keys},
    {StatementKind::foreign, "AggregatedBlock", true, block_keys},  // of scontrol show topology
    {StatementKind::foreign, "BlockSizes", true, {}},
    {StatementKind::foreign, "RingName", true, ring_keys},
    {StatementKind::foreign, "TorusName", true, torus_keys},  // of scontrol show topology
};
constexpr Grammar grammar = {statements, {}};

class Reader {
public:
    Expected<void> read(const Statement& statement) {
        const std::string_view kind = statement.rule->name;
        if (kind == "SwitchName") return read_switch(statement);
        if (kind == "BlockName") return read_block(statement, topology_.blocks);
        if (kind == "RingName") return read_block(statement, topology_.rings);
        if (kind == "AggregatedBlock") return add_size(statement.value("BlockSize"));
        if (kind == "TorusName") return read_torus(statement);
        for (const Located& size : split(statement.name, ',')) RETURN_IF_ERROR(add_size(size));
        return {};
    }

    SlurmTopology take(const SourceLocation& where) {
        topology_.block_sizes.assign(sizes_.begin(), sizes_.end());
        topology_.where = where;
        return std::move(topology_);
    }

private:
    Expected<std::vector<std::string>> nodes_of(const Statement& statement, std::string_view key = "Nodes") {
        if (!statement.has(key)) return std::vector<std::string>{};
        return names_.read(statement.value(key).text, statement.value(key).where());
    }

    /// scontrol also gives the nodes below a switch that has switches below it.
    Expected<void> read_switch(const Statement& statement) {
        SlurmSwitch own{std::string(statement.name.text), {}, {}, statement.name.where()};
        ASSIGN_OR_RETURN(own.children, nodes_of(statement, "Switches"));
        if (own.children.empty()) {
            ASSIGN_OR_RETURN(own.nodes, nodes_of(statement));
        }
        topology_.switches.push_back(std::move(own));
        return {};
    }

    Expected<void> read_block(const Statement& statement, std::vector<SlurmBlock>& blocks) {
        SlurmBlock own{std::string(statement.name.text), {}, statement.name.where()};
        ASSIGN_OR_RETURN(own.nodes, nodes_of(statement));
        if (statement.rule->name == "BlockName") RETURN_IF_ERROR(add_size(statement.value("BlockSize")));
        blocks.push_back(std::move(own));
        return {};
    }

    Expected<void> add_size(const Located& text) {
        if (text.text.empty()) return {};
        ASSIGN_OR_RETURN(const auto size, parse_integer(text, 1, most_names, "a block size"));
        sizes_.insert(static_cast<int>(size));
        return {};
    }

    Expected<void> read_torus(const Statement& statement) {
        if (statement.has("PlacementDims")) return {};  // where jobs go
        SlurmTorus own{std::string(statement.name.text), {}, {}, statement.name.where()};
        const auto sizes = split(statement.value("Dims"), 'x');
        if (sizes.size() != 3) return statement.word.error("TorusName without Dims=, three sizes such as 4x4x2");
        for (std::size_t d = 0; d < 3; ++d) {
            ASSIGN_OR_RETURN(const auto size, parse_integer(sizes[d], 1, most_names, "the size of a dimension"));
            own.sizes[d] = static_cast<int>(size);
        }
        SlurmRegion all{{}, own.sizes, {}, own.where};
        ASSIGN_OR_RETURN(all.nodes, nodes_of(statement));
        own.regions.push_back(std::move(all));
        topology_.tori.push_back(std::move(own));
        return {};
    }

    SlurmTopology topology_;
    std::set<int> sizes_;
    HostlistReader names_;
};

/// The first word of the first line that is no comment, up to a '='.
std::string_view first_word(std::string_view text) {
    SourceLines lines(text, {});
    SourceLine line;
    while (lines.next(line)) {
        const std::string_view own = without_blanks_around(line.text);
        if (!own.empty() && own.front() != '#') return own.substr(0, own.find('='));
    }
    return {};
}

}  // namespace

bool is_slurm_topology(std::string_view text) {
    const std::string_view word = first_word(text);
    return std::any_of(std::begin(statements), std::end(statements),
                       [word](const StatementRule& rule) { return same_word(word, rule.name); });
}

bool is_slurm_conf(std::string_view text) {
    const auto has = [text](std::string_view word) {
        return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
                   return std::tolower(static_cast<unsigned char>(a)) == b;
               }) != text.end();
    };
    return has("nodename=") && (has("clustername=") || has("slurmctldhost") || has("topologyplugin="));
}

Expected<SlurmTopology> read_slurm_topology(std::string_view text, const std::string& file) {
    SourceText source("file of Slurm");
    RETURN_IF_ERROR(source.read_text(text, file));
    Reader reader;
    for (int index = 0; index < source.lines(); ++index) {
        ASSIGN_OR_RETURN(const auto statement, parse_statement(source.line(index), grammar));
        RETURN_IF_ERROR(reader.read(statement));
    }
    return reader.take(source.beginning());
}

namespace {

/// What a line of slurm.conf, which has many other keys, says of nodes.
struct NodeLine {
    Located name, host, address;
};

NodeLine node_line(const Located& line, SlurmNodes& nodes) {
    NodeLine found;
    std::string_view rest = line.text;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        const std::string_view key = word.substr(0, word.find('='));
        const Located value{key.size() < word.size() ? word.substr(key.size() + 1) : std::string_view(), line.source};
        if (same_word(key, "NodeName")) found.name = value;
        if (same_word(key, "NodeHostName")) found.host = value;
        if (same_word(key, "NodeAddr")) found.address = value;
        if (same_word(key, "TopologyPlugin")) nodes.is_3d_torus = same_word(value.text, "topology/3d_torus");
    }
    return found;
}

/// A NodeAddr that is a name is what Slurm calls the node, which need not be what the node calls itself.
bool is_ip(std::string_view address) {
    return address.find(':') != std::string_view::npos ||
           (address.find('.') != std::string_view::npos &&
            address.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace

Expected<SlurmNodes> read_slurm_conf(std::string_view text, const std::string& file) {
    SourceText source("file of Slurm");
    RETURN_IF_ERROR(source.read_text(text, file));
    SlurmNodes nodes;
    HostlistReader hostlists;
    for (int index = 0; index < source.lines(); ++index) {
        const NodeLine line = node_line(source.line(index), nodes);
        if (line.name.text.empty() || same_word(line.name.text, "DEFAULT")) continue;
        ASSIGN_OR_RETURN(const auto names, hostlists.read(line.name.text, line.name.where()));
        ASSIGN_OR_RETURN(const auto hosts, hostlists.read(line.host.text, line.host.where()));
        ASSIGN_OR_RETURN(const auto addresses, hostlists.read(line.address.text, line.address.where()));
        if (!hosts.empty() && hosts.size() != names.size()) {
            return line.host.error("NodeHostName= gives " + std::to_string(hosts.size()) + " names for " +
                                   std::to_string(names.size()) + " of NodeName=");
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string& host = hosts.empty() ? names[i] : hosts[i];
            if (!nodes.host_of_node.try_emplace(names[i], host).second) {
                return line.name.error("node " + in_quotes(names[i]) + " is given twice");
            }
            nodes.nodes.push_back(names[i]);
            // Several nodes may share one address, which then says nothing of each.
            if (addresses.size() == names.size() && is_ip(addresses[i])) nodes.addresses[host].push_back(addresses[i]);
        }
    }
    return nodes;
}

}  // namespace coll_topo::importing
