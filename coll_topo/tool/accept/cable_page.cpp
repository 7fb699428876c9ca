// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cluster.hpp"
#include "coll_topo/tool/accept/page_text.hpp"
#include "coll_topo/tool/network/network_drawing.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

/// Blue, orange and vermilion of Okabe and Ito, which people who see fewer colours can tell apart; also, the worse a
/// cable is, the thicker its line, and what has no result has gaps.
struct Shade {
    double least;  ///< share of the best of its kind that it has at least
    const char* colour;
    double width;
    const char* dashes;
    const char* meaning;
};
constexpr Shade shades[] = {{0.95, "#0072b2", 1.2, "", "95 % or more"},
                            {0.8, "#0072b2", 2.6, "", "80 to 95 %"},
                            {0.5, "#e69f00", 3.4, "", "50 to 80 %"},
                            {1e-9, "#d55e00", 4.4, "", "less than half"},
                            {0, "#d55e00", 4.4, "2 3", "no result"}};
constexpr Shade untested = {0, "#444444", 1, "5 4", "not tested"};

constexpr std::size_t most_links_to_fit = 600;  // of a drawing that is still read when it is made to fit a page

/// By link: bytes/s; below 0: it was not tested.
struct LinkRates {
    std::vector<double> alone, together, usual;
};

LinkRates rates_of_links(const CableReport& report) {
    const std::size_t links = report.graph.links().size();
    LinkRates rates{std::vector<double>(links, -1), std::vector<double>(links, -1), std::vector<double>(links, 0)};
    double best = 0;
    for (std::size_t test = 0; test < report.plan.tests.size(); ++test) {
        for (const int link : report.plan.tests[test].links) {
            const auto index = static_cast<std::size_t>(link);
            rates.alone[index] = report.cables.measured.alone[test];
            rates.together[index] = report.cables.measured.together[test];
            rates.usual[index] = report.plan.tests[test].bandwidth;
            best = std::max(best, rates.alone[index]);
        }
    }
    if (!acceptance::LinkCapacities(report.graph).known) {
        std::fill(rates.usual.begin(), rates.usual.end(), best);  // the file says nothing: the best is the measure
    }
    return rates;
}

const Shade& shade_of(double share) {
    for (const Shade& shade : shades) {
        if (share >= shade.least) return shade;
    }
    return shades[4];
}

/// The worst of the links of a line decides.
LinkLook look_of(const LinkRates& rates, std::span<const int> links) {
    std::optional<double> worst;
    std::size_t of_worst = 0;
    for (const int link : links) {
        const auto index = static_cast<std::size_t>(link);
        if (rates.alone[index] < 0 || rates.usual[index] <= 0) continue;
        const double share = rates.alone[index] / rates.usual[index];
        if (worst && share >= *worst) continue;
        worst = share;
        of_worst = index;
    }
    const Shade& shade = worst ? shade_of(*worst) : untested;
    std::string tooltip = untested.meaning;
    if (worst) {
        const double together = rates.together[of_worst];
        tooltip = fmt::format("{} of {}, together {}", share_text(*worst), bandwidth_text(rates.usual[of_worst]),
                              together > 0 ? bandwidth_text(together) : "no result");
    }
    return {shade.colour, shade.width, tooltip, shade.dashes};
}

std::string legend_entry(const Shade& shade) {
    return fmt::format(
        "<span><svg viewBox=\"0 0 34 10\"><polyline points=\"1,5 33,5\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"{}\" stroke-dasharray=\"{}\"/></svg> {}</span>",
        shade.colour, shade.width, *shade.dashes == 0 ? "none" : shade.dashes, shade.meaning);
}

std::string legend() {
    std::string html = "<div class=\"legend\">";
    for (const Shade& shade : shades) html += legend_entry(shade);
    return html + legend_entry(untested) + "</div>";
}

PageCell rate_cell(double rate) {
    return {rate > 0 ? bandwidth_text(rate) : "-", "number"};
}

}  // namespace

std::string cable_drawing_html(const Acceptance& acceptance) {
    if (!acceptance.cables) {
        return acceptance.cable_rounds > 0 ? fmt::format("<p>Only {} of {} rounds were measured, too few to judge.</p>",
                                                         acceptance.cable_rounds_done, acceptance.cable_rounds)
                                           : "<p>Cables were not tested.</p>";
    }
    const CableReport& report = *acceptance.cables;
    const LinkRates rates = rates_of_links(report);
    const NetworkDrawing drawing(report.fabric, report.graph);
    const std::string svg =
        drawing.draw(report.fabric.summary(), [&](std::span<const int> links) { return look_of(rates, links); });
    const bool large = report.graph.links().size() > most_links_to_fit;
    return "<p>Each direction of each cable, by what it carried alone, of what the file says. Point at a cable, or "
           "tap it, for its figures.</p>\n" +
           legend() + fmt::format("\n<div class=\"drawing{}\">\n", large ? " large" : "") + svg +
           "</div>\n<p id=\"caption\" role=\"status\"></p>\n";
}

std::string rates_html(const Acceptance& acceptance) {
    if (!acceptance.cables) return {};
    std::vector<std::vector<PageCell>> rows;
    for (const CableRates& rates : rates_of(*acceptance.cables)) {
        rows.push_back({{rates.like},
                        {std::to_string(rates.tests), "number"},
                        {std::to_string(rates.without_result), "number"},
                        rate_cell(rates.median_alone),
                        rate_cell(rates.least_alone),
                        rate_cell(rates.median_together),
                        rate_cell(rates.least_together)});
    }
    return "<div class=\"wide\">" +
           table_html({{"cables like"},
                       {"tests", "number"},
                       {"no result", "number"},
                       {"alone: median", "number"},
                       {"least", "number"},
                       {"together: median", "number"},
                       {"least", "number"}},
                      rows) +
           "</div>";
}

}  // namespace coll_topo::tool
