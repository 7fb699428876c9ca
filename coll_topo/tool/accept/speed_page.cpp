// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/drawing/line_plot.hpp"
#include "coll_topo/drawing/svg.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/accept/page_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace coll_topo::tool {

namespace {

void add_point(LinePlot& plot, const std::string& name, std::int64_t bytes, double seconds) {
    auto series =
        std::find_if(plot.series.begin(), plot.series.end(), [&](const Series& known) { return known.name == name; });
    if (series == plot.series.end()) series = plot.series.insert(series, {name, {}});
    series->points.push_back({static_cast<double>(bytes), seconds});
}

std::string plot_of(const SpeedStage& speed, const std::string& collective) {
    LinePlot plot;
    plot.title = collective;
    plot.x = {"data", "B", Scale::binary};
    plot.y = {"median time", "s", Scale::decimal};
    add_point(plot, "topo", 0, 0);  // first, so that its colour is the same in all plots
    for (const SpeedCase& one : speed.cases) {
        if (one.collective != collective) continue;
        for (const auto& [name, time] : one.components) add_point(plot, name, one.bytes, time.median);
        if (one.predicted) add_point(plot, "predicted", one.bytes, *one.predicted);
        if (one.bound) add_point(plot, "bound", one.bytes, *one.bound);
    }
    for (Series& series : plot.series) {
        std::sort(series.points.begin(), series.points.end(),
                  [](const Point& one, const Point& other) { return one.x < other.x; });
    }
    plot.series.front().points.erase(plot.series.front().points.begin());
    return draw(plot);
}

PageCell seconds_cell(const std::optional<double>& seconds) {
    return {seconds ? duration_text(*seconds) : "-", "number"};
}

std::string remark_on(const SpeedCase& speed) {
    if (!speed.right) return "WRONG RESULT";
    if (speed.lost && speed.mended_by.empty()) return speed.repeated ? "loses, twice measured" : "loses";
    if (speed.lost) return "loses; a rule for " + speed.mended_by + " mends it";
    return speed.served ? "" : "left to the module before";
}

std::string table_of(const SpeedStage& speed) {
    std::vector<std::vector<PageCell>> rows;
    for (const SpeedCase& one : speed.cases) {
        const auto topo = one.components.find("topo");
        const auto other = one.components.find(one.best_other);
        const auto share = share_of_bound(one);
        const auto number = [](const auto& found, const auto& end) {
            return seconds_cell(found == end ? std::nullopt : std::optional(found->second.median));
        };
        rows.push_back({{one.collective},
                        {bytes_text(static_cast<double>(one.bytes)), "number"},
                        number(topo, one.components.end()),
                        {one.best_other.empty() ? "-" : one.best_other},
                        number(other, one.components.end()),
                        {one.best_other.empty() ? "-" : fmt::format("{:.2f}", 1 / (1 + one.slower)), "number"},
                        {share ? share_text(*share) : "-", "number"},
                        seconds_cell(one.predicted),
                        {remark_on(one), one.lost || !one.right ? "not-met" : ""}});
    }
    return "<div class=\"wide\">" +
           table_html({{"collective"},
                       {"size", "number"},
                       {"coll_topo", "number"},
                       {"best other"},
                       {"takes", "number"},
                       {"times as fast", "number"},
                       {"of the bound", "number"},
                       {"predicted", "number"},
                       {"remark"}},
                      rows) +
           "</div>";
}

}  // namespace

std::string speed_html(const Acceptance& acceptance) {
    if (!acceptance.speed || acceptance.speed->cases.empty()) return {};
    const SpeedStage& speed = *acceptance.speed;
    std::vector<std::string> collectives;
    for (const SpeedCase& one : speed.cases) {
        if (std::find(collectives.begin(), collectives.end(), one.collective) == collectives.end()) {
            collectives.push_back(one.collective);
        }
    }
    std::string html =
        "<section id=\"speed\"><h2>Speed</h2>\n<p>Medians, in one job; \"bound\" is what the links and "
        "hosts allow at all.</p>\n<div class=\"curves\">\n";
    for (const std::string& collective : collectives) html += "<div>" + plot_of(speed, collective) + "</div>\n";
    html += "</div>\n" + table_of(speed);
    if (!speed.rules.empty()) {
        html +=
            "<h3>Rules that mend it</h3><p>Also in rules.conf beside this page; see coll-topo-rules.conf(5).</p><pre>" +
            escaped(speed.rules) + "</pre>";
    }
    return html + "</section>";
}

}  // namespace coll_topo::tool
