// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/plot.hpp"

#include "coll_topo/tool/line_plot.hpp"

#include <algorithm>
#include <fstream>

namespace coll_topo::bench {

namespace {

void add_point(tool::LinePlot& plot, const std::string& name, double bytes, double seconds) {
    auto series = std::find_if(plot.series.begin(), plot.series.end(),
                               [&](const tool::Series& known) { return known.name == name; });
    if (series == plot.series.end()) series = plot.series.insert(series, {name, {}});
    series->points.push_back({bytes, seconds});
}

tool::LinePlot plot_of(const std::vector<std::vector<Row>>& cases, const std::string& collective,
                       const std::string& title) {
    tool::LinePlot plot;
    plot.title = collective + ", " + title;
    plot.x = {"data", "B", tool::Scale::binary};
    plot.y = {"median time", "s", tool::Scale::decimal};
    for (const std::vector<Row>& rows : cases) {
        if (rows.front().collective != collective) continue;
        for (const Row& row : rows) add_point(plot, row.component, static_cast<double>(row.bytes), row.median);
        if (rows.front().bound) {
            add_point(plot, "bound", static_cast<double>(rows.front().bytes), *rows.front().bound);
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
