// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/network_family.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/fabric/finite_field.hpp"
#include "coll_topo/fabric/full_mesh.hpp"
#include "coll_topo/fabric/latin_square.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <iterator>

namespace coll_topo::tool {

namespace {

constexpr std::int64_t most_hosts = 4096;
constexpr std::size_t most_members = 10000;

struct Range {
    int first;
    int last;
};

Expected<Range> read_range(const Located& text) {
    const std::size_t dots = text.text.find("..");
    const auto number = [](const Located& part) { return parse_integer(part, 1, most_hosts, "a size"); };
    const auto first = number(text.part(0, dots));
    RETURN_IF_ERROR(first);
    ASSIGN_OR_RETURN(const auto last, dots == std::string_view::npos ? first : number(text.part(dots + 2)));
    if (last < *first) return failure("the range " + in_quotes(text.text) + " runs backwards");
    return Range{static_cast<int>(*first), static_cast<int>(last)};
}

using Sizes = std::vector<int>;

std::int64_t torus_hosts(const Sizes& sizes) {
    std::int64_t hosts = 1;
    for (std::size_t i = 0; i < sizes.size() && hosts <= most_hosts; ++i) hosts *= sizes[i];
    return hosts;
}

std::string torus_text(const Sizes& sizes, char wrap) {
    return fmt::format("TorusName=t Dims={} Wrap={} Nodes=n[0-{}]\n", fmt::join(sizes, "x"),
                       std::string(sizes.size(), wrap), torus_hosts(sizes) - 1);
}

std::int64_t tree_hosts(const Sizes& sizes) {
    return std::int64_t{sizes[0]} * sizes[2];
}

std::string tree_text(const Sizes& sizes) {
    std::string text;
    for (int leaf = 0; leaf < sizes[0]; ++leaf) {
        text += fmt::format("SwitchName=leaf{} Nodes=n[{}-{}]\n", leaf, leaf * sizes[2], (leaf + 1) * sizes[2] - 1);
    }
    return text + fmt::format("Link From=leaf[0-{}] To=spine[0-{}] Bandwidth=12.5GB/s Latency=1us\n", sizes[0] - 1,
                              sizes[1] - 1);
}

std::int64_t latin_square_hosts(const Sizes& sizes) {
    return prime_of_power(sizes[0]) == 0 ? 0 : latin_square_leaves(sizes[0]) * sizes[1];
}

std::string latin_square_text(const Sizes& sizes) {
    return fmt::format("LatinSquareName=l Order={} HostsPerLeaf={} Nodes=n[0-{}]\n", sizes[0], sizes[1],
                       latin_square_hosts(sizes) - 1);
}

std::int64_t full_mesh_hosts(const Sizes& sizes) {
    return sizes[0] % 2 != 0 ? 0 : full_mesh_of_ports(sizes[0]).leaves() * sizes[1];
}

std::string full_mesh_text(const Sizes& sizes) {
    return fmt::format("FullMeshName=m Ports={} HostsPerLeaf={} Nodes=n[0-{}]\n", sizes[0], sizes[1],
                       full_mesh_hosts(sizes) - 1);
}

struct Kind {
    std::string_view name;
    std::size_t sizes;  ///< how many; 0: any number
    std::string_view meaning;
    std::int64_t (*hosts)(const Sizes&);  ///< 0: there is no such network
    std::string (*text)(const Sizes&);
};

constexpr Kind kinds[] = {
    {"torus", 0, "", torus_hosts, [](const Sizes& sizes) { return torus_text(sizes, 'y'); }},
    {"mesh", 0, "", torus_hosts, [](const Sizes& sizes) { return torus_text(sizes, 'n'); }},
    {"tree", 3, "a tree has three sizes: leaves, spines, hosts of a leaf", tree_hosts, tree_text},
    {"latin-square", 2, "a latin-square has two sizes: order, hosts of a leaf", latin_square_hosts, latin_square_text},
    {"full-mesh", 2, "a full-mesh has two sizes: ports of a switch, hosts of a leaf", full_mesh_hosts, full_mesh_text},
};

/// All lists of sizes within the ranges.
Expected<std::vector<std::vector<int>>> list_shapes(const std::vector<Range>& ranges) {
    std::vector<std::vector<int>> shapes = {{}};
    for (const Range& range : ranges) {
        std::vector<std::vector<int>> longer;
        for (const auto& shape : shapes) {
            for (int size = range.first; size <= range.last; ++size) {
                longer.push_back(shape);
                longer.back().push_back(size);
                if (longer.size() > most_members) return failure("a family has at most 10000 networks");
            }
        }
        shapes = std::move(longer);
    }
    return shapes;
}

}  // namespace

Expected<std::vector<FamilyMember>> make_family(std::string_view text) {
    const std::size_t blank = text.find(' ');
    const std::string_view name = text.substr(0, blank);
    const Kind* const kind = std::find_if(std::begin(kinds), std::end(kinds),
                                          [name](const Kind& candidate) { return candidate.name == name; });
    if (blank == std::string_view::npos || kind == std::end(kinds)) {
        std::vector<std::string_view> names;
        for (const Kind& known : kinds) names.push_back(known.name);
        return failure("--family: expected " + alternatives(names) + " and sizes, such as 'torus 2..4x2..4', found " +
                       in_quotes(text));
    }
    std::vector<Range> ranges;
    for (const Located& part : split(Located{text.substr(blank + 1)}, 'x')) {
        const auto range = read_range(part);
        if (!range) return failure("--family: " + range.error().message);
        ranges.push_back(*range);
    }
    if (kind->sizes != 0 && ranges.size() != kind->sizes) return failure("--family: " + std::string(kind->meaning));
    const auto shapes = list_shapes(ranges);
    if (!shapes) return failure("--family: " + shapes.error().message);

    std::vector<FamilyMember> family;
    for (const Sizes& sizes : *shapes) {
        std::string member = fmt::format("{} {}", name, fmt::join(sizes, "x"));
        const std::int64_t hosts = kind->hosts(sizes);
        if (hosts > most_hosts) return failure("--family: " + member + " has more than 4096 hosts");
        if (hosts == 0) continue;
        ASSIGN_OR_RETURN(auto file, read_topology_text(kind->text(sizes), member));
        family.push_back({std::move(member), std::move(file)});
    }
    if (family.empty()) return failure("--family: there is no network of the family " + in_quotes(text));
    return family;
}

}  // namespace coll_topo::tool
