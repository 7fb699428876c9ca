// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network_family.hpp"

#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    if (!first) return tl::unexpected<Error>(first.error());
    const auto last = dots == std::string_view::npos ? first : number(text.part(dots + 2));
    if (!last) return tl::unexpected<Error>(last.error());
    if (*last < *first) return failure("the range " + in_quotes(text.text) + " runs backwards");
    return Range{static_cast<int>(*first), static_cast<int>(*last)};
}

std::string torus_text(const std::vector<int>& sizes, char wrap) {
    std::int64_t hosts = 1;
    for (const int size : sizes) hosts *= size;
    return fmt::format("TorusName=t Dims={} Wrap={} Nodes=n[0-{}]\n", fmt::join(sizes, "x"),
                       std::string(sizes.size(), wrap), hosts - 1);
}

std::string tree_text(const std::vector<int>& sizes) {
    std::string text;
    for (int leaf = 0; leaf < sizes[0]; ++leaf) {
        text += fmt::format("SwitchName=leaf{} Nodes=n[{}-{}]\n", leaf, leaf * sizes[2], (leaf + 1) * sizes[2] - 1);
    }
    return text + fmt::format("Link From=leaf[0-{}] To=spine[0-{}] Bandwidth=12.5GB/s Latency=1us\n", sizes[0] - 1,
                              sizes[1] - 1);
}

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

std::int64_t hosts_of(const std::vector<int>& sizes, bool tree) {
    std::int64_t hosts = 1;
    for (std::size_t i = 0; i < sizes.size() && hosts <= most_hosts; ++i) hosts *= tree && i == 1 ? 1 : sizes[i];
    return hosts;
}

}  // namespace

Expected<std::vector<FamilyMember>> make_family(std::string_view text) {
    const std::size_t blank = text.find(' ');
    const std::string_view kind = text.substr(0, blank);
    const bool tree = kind == "tree";
    if (blank == std::string_view::npos || (kind != "torus" && kind != "mesh" && !tree)) {
        return failure("--family: expected torus, mesh or tree and sizes, such as 'torus 2..4x2..4', found " +
                       in_quotes(text));
    }
    std::vector<Range> ranges;
    for (const Located& part : split(Located{text.substr(blank + 1)}, 'x')) {
        const auto range = read_range(part);
        if (!range) return failure("--family: " + range.error().message);
        ranges.push_back(*range);
    }
    if (tree && ranges.size() != 3) return failure("--family: a tree has three sizes: leaves, spines, hosts of a leaf");
    const auto shapes = list_shapes(ranges);
    if (!shapes) return failure("--family: " + shapes.error().message);

    std::vector<FamilyMember> family;
    for (const std::vector<int>& sizes : *shapes) {
        std::string name = fmt::format("{} {}", kind, fmt::join(sizes, "x"));
        if (hosts_of(sizes, tree) > most_hosts) return failure("--family: " + name + " has more than 4096 hosts");
        auto file = read_topology_text(tree ? tree_text(sizes) : torus_text(sizes, kind == "torus" ? 'y' : 'n'), name);
        if (!file) return tl::unexpected<Error>(file.error());
        family.push_back({std::move(name), std::move(*file)});
    }
    return family;
}

}  // namespace coll_topo::tool
