// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/plot.hpp"

#include "coll_topo/drawing/line_plot.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace coll_topo::bench {

namespace {

constexpr std::size_t most_drawn = 8;

void add_point(tool::LinePlot& plot, const std::string& name, double bytes, double seconds) {
    auto series = std::find_if(plot.series.begin(), plot.series.end(),
                               [&](const tool::Series& known) { return known.name == name; });
    if (series == plot.series.end()) series = plot.series.insert(series, {name, {}});
    series->points.push_back({bytes, seconds});
}

/// Of more than a few, those that were the fastest of their component at some size; all that were not forced.
std::set<std::string> components_to_draw(const std::vector<std::vector<Row>>& cases, const std::string& collective) {
    std::set<std::string> all;
    std::set<std::string> best;
    for (const std::vector<Row>& rows : cases) {
        if (rows.front().collective != collective) continue;
        std::map<std::string, const Row*> fastest;  // forced algorithm of each component
        for (const Row& row : rows) {
            all.insert(row.component);
            const std::size_t colon = row.component.find(':');
            if (colon == std::string::npos) best.insert(row.component);
            if (colon == std::string::npos || !row.served()) continue;
            const Row*& known = fastest[row.component.substr(0, colon)];
            if (known == nullptr || row.median < known->median) known = &row;
        }
        for (const auto& [component, row] : fastest) best.insert(row->component);
    }
    return all.size() <= most_drawn ? all : best;
}

tool::LinePlot plot_of(const std::vector<std::vector<Row>>& cases, const std::string& collective,
                       const std::string& title) {
    tool::LinePlot plot;
    plot.title = collective + ", " + title;
    plot.x = {"data", "B", tool::Scale::binary};
    plot.y = {"median time", "s", tool::Scale::decimal};
    const std::set<std::string> drawn = components_to_draw(cases, collective);
    for (const std::vector<Row>& rows : cases) {
        if (rows.front().collective != collective) continue;
        for (const Row& row : rows) {
            if (!drawn.contains(row.component)) continue;
            add_point(plot, row.component, static_cast<double>(row.bytes), row.median);
        }
        if (rows.front().bound) {
            add_point(plot, "bound", static_cast<double>(rows.front().bytes), rows.front().bound->seconds());
        }
    }
    return plot;
}

std::string with_name(const std::string& path, const std::string& name) {
    const std::size_t slash = path.rfind('/');
    const std::size_t dot = path.rfind('.');
    const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    const std::size_t end = has_extension ? dot : path.size();
    return path.substr(0, end) + '-' + name + path.substr(end);
}

}  // namespace

Expected<void> write_plots(const std::vector<std::vector<Row>>& cases, const std::string& title,
                           const std::string& path) {
    std::vector<std::string> collectives;
    for (const std::vector<Row>& rows : cases) {
        const std::string& name = rows.front().collective;
        if (std::find(collectives.begin(), collectives.end(), name) == collectives.end()) collectives.push_back(name);
    }
    for (const std::string& collective : collectives) {
        const std::string file = collectives.size() == 1 ? path : with_name(path, collective);
        std::ofstream stream(file);
        stream << tool::draw(plot_of(cases, collective, title)) << std::flush;
        if (!stream) return failure("cannot write " + file);
    }
    return {};
}

}  // namespace coll_topo::bench
