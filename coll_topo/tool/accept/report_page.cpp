// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/svg.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/accept/page_text.hpp"
#include "coll_topo/tool/accept/report_text.hpp"

#include <fmt/format.h>
#include <algorithm>

extern const char report_html[];  // the template, made from report.html by the build

namespace coll_topo::tool {

namespace {

constexpr std::size_t most_listed = 50;

/// "Not accepted" -> "not-accepted".
std::string css_class(std::string words) {
    for (char& letter : words) letter = letter == ' ' ? '-' : static_cast<char>(std::tolower(letter));
    return words;
}

std::string conditions_html(const Acceptance& acceptance) {
    std::vector<std::vector<PageCell>> rows;
    for (const Condition& condition : conditions_of(acceptance)) {
        const std::string outcome = outcome_name(condition.outcome);
        rows.push_back({{outcome, "outcome " + css_class(outcome)}, {condition.what}, {condition.found}});
    }
    return table_html({{"outcome"}, {"condition"}, {"found"}}, rows);
}

std::string paragraph(const std::string& text) {
    return "<p>" + escaped(text) + "</p>\n";
}

std::string items(const std::vector<std::string>& texts) {
    std::string html = "<ul>";
    for (std::size_t i = 0; i < std::min(texts.size(), most_listed); ++i)
        html += "<li>" + escaped(texts[i]) + "</li>\n";
    if (texts.size() > most_listed) html += fmt::format("<li>and {} more</li>", texts.size() - most_listed);
    return html + "</ul>";
}

std::string faults_html(const Acceptance& acceptance) {
    std::string list;
    if (acceptance.cables) {
        for (const CableFault& fault : faults_of(*acceptance.cables)) {
            std::string what = fault.what;
            for (const std::string& other : fault.or_else) what += ", or " + other;
            list += "<li><strong>" + escaped(what) + "</strong>";
            if (fault.explains)
                list += fmt::format(" (explains {} of what is unlike the file)", share_text(*fault.explains));
            list += "<br>To do: " + escaped(fault.to_do) + "</li>\n";
        }
        if (!list.empty()) list = "<ul>" + list + "</ul>";
        if (const auto open = not_explained(*acceptance.cables); !open.empty()) {
            list += "<h3>Not explained</h3>" + items(open);
        }
        if (const auto open = doubtful(*acceptance.cables); !open.empty()) {
            list += "<h3>Another result each time</h3>" + items(open);
        }
        if (!acceptance.cables->plan.untested.empty()) {
            list += paragraph("Not tested: " + link_list(acceptance.cables->graph, acceptance.cables->plan.untested));
        }
    }
    if (acceptance.baseline) {
        const CableReport* const cables = acceptance.cables ? &*acceptance.cables : nullptr;
        const SpeedStage* const speed = acceptance.speed ? &*acceptance.speed : nullptr;
        const auto worse =
            worse_than(*acceptance.baseline, cables, speed, acceptance.limits.worse_than_before.value_or(0));
        if (!worse.empty()) list += "<h3>Worse than on " + escaped(acceptance.baseline->date) + "</h3>" + items(worse);
    }
    if (!acceptance.errors.empty()) list += "<h3>What could not be done</h3>" + items(acceptance.errors);
    return list.empty() ? "" : "<section id=\"faults\"><h2>Faults</h2>" + list + "</section>";
}

std::string results_html(const Acceptance& acceptance) {
    if (!acceptance.results) return {};
    std::vector<std::vector<PageCell>> rows;
    for (const ResultCheck& check : acceptance.results->checks) {
        rows.push_back({{check.collective},
                        {check.algorithm},
                        {std::to_string(check.calls), "number"},
                        {std::to_string(check.served), "number"},
                        {std::to_string(check.wrong), check.wrong > 0 ? "number not-met" : "number"},
                        {check.first_wrong}});
    }
    return "<section id=\"results\"><h2>Results</h2><p>Calls with several operations, types and sizes, compared with "
           "the module before.</p><div class=\"wide\">" +
           table_html({{"collective"},
                       {"algorithm"},
                       {"calls", "number"},
                       {"by coll_topo", "number"},
                       {"wrong", "number"},
                       {"first wrong"}},
                      rows) +
           "</div></section>";
}

std::string hosts_html(const Acceptance& acceptance) {
    if (!acceptance.hosts) return {};
    std::vector<std::vector<PageCell>> common, different;
    for (const auto& [name, value] : common_facts(*acceptance.hosts)) common.push_back({{name}, {value}});
    for (const Difference& difference : differences(*acceptance.hosts)) {
        different.push_back({{difference.what, difference.matters ? "not-met" : ""},
                             {fmt::format("{}", fmt::join(difference.hosts, ", "))},
                             {difference.value},
                             {difference.usual}});
    }
    std::string html = fmt::format("<section id=\"hosts\"><h2>Machine and versions</h2><p>{} ranks on {} hosts.</p>",
                                   acceptance.hosts->ranks.size(), acceptance.hosts->hosts().size());
    if (!different.empty()) {
        html += "<h3>Different</h3><div class=\"wide\">" +
                table_html({{"what"}, {"hosts"}, {"theirs"}, {"of most"}}, different) + "</div>";
    }
    return html + "<h3>The same on all hosts</h3><div class=\"wide\">" + table_html({{"what"}, {"value"}}, common) +
           "</div></section>";
}

}  // namespace

std::string page_of(const Acceptance& acceptance) {
    const std::string verdict = verdict_text(acceptance);
    std::string interrupted;
    if (!acceptance.interrupted.empty())
        interrupted = paragraph("This report is incomplete: " + acceptance.interrupted);
    return filled(report_html, {{"title", escaped(verdict + ": " + acceptance.fabric.summary())},
                                {"verdict_class", css_class(verdict)},
                                {"verdict", escaped(verdict)},
                                {"network", escaped(acceptance.fabric.summary())},
                                {"date", escaped(acceptance.date)},
                                {"version", escaped(acceptance.version)},
                                {"file", escaped(acceptance.file)},
                                {"interrupted", interrupted},
                                {"conditions", conditions_html(acceptance)},
                                {"faults", faults_html(acceptance)},
                                {"drawing", cable_drawing_html(acceptance)},
                                {"rates", rates_html(acceptance)},
                                {"speed", speed_html(acceptance)},
                                {"results", results_html(acceptance)},
                                {"hosts", hosts_html(acceptance)},
                                {"command", escaped(acceptance.command)}});
}

}  // namespace coll_topo::tool
