// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/verdict_report.hpp"

#include "coll_topo/acceptance/shortfall.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/output/json_writer.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

namespace coll_topo::tool {

namespace {

using acceptance::FaultKind;

constexpr std::size_t most_tests_named = 5;

const char* kind_name(FaultKind kind) {
    switch (kind) {
        case FaultKind::slow_direction:
            return "slow direction";
        case FaultKind::slow_cable:
            return "slow cable";
        case FaultKind::dead_cable:
            return "dead cable";
        case FaultKind::missing_cable:
            return "missing cable";
        case FaultKind::swapped_hosts:
            return "swapped hosts";
        case FaultKind::moved_host:
            return "moved host";
        case FaultKind::dimension_order:
            return "order of dimensions";
    }
    return "";
}

const char* what_to_do(FaultKind kind) {
    switch (kind) {
        case FaultKind::slow_direction:
        case FaultKind::slow_cable:
            return "look at the speed and the error counters of its ports; replace it";
        case FaultKind::dead_cable:
            return "see whether it is plugged in and its ports are up";
        case FaultKind::missing_cable:
            return "see which port is down, or take the cable out of the file";
        case FaultKind::swapped_hosts:
            return "exchange their cables, or their names in the file";
        case FaultKind::moved_host:
            return "move its cable, or the host in the file";
        case FaultKind::dimension_order:
            return "name the hosts in the other order in the file";
    }
    return "";
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string test_text(const CableReport& report, int index) {
    const auto test = static_cast<std::size_t>(index);
    const acceptance::CableTest& of_plan = report.plan.tests[test];
    return fmt::format("{}: alone {}, together {}", link_list(report.graph, {of_plan.links.front()}),
                       bandwidth_text(report.cables.measured.alone[test]),
                       bandwidth_text(report.cables.measured.together[test]));
}

std::vector<std::string> absent_hosts(const CableReport& report) {
    const std::set<std::string> present(report.cables.hosts.begin(), report.cables.hosts.end());
    std::vector<std::string> absent;
    for (int host = 0; host < report.fabric.hosts.size(); ++host) {
        std::string name(report.fabric.hosts.name(host));
        if (!present.contains(name)) absent.push_back(std::move(name));
    }
    return absent;
}

void write_findings(const CableReport& report, std::ostream& out) {
    for (const acceptance::Finding& finding : report.verdict.findings) {
        std::string text = fmt::format("Fault: {}", fault_text(finding.fault, report.fabric, report.graph));
        for (const acceptance::Fault& other : finding.or_else) {
            text += ", or " + fault_text(other, report.fabric, report.graph);
        }
        out << "\n"
            << wrapped(text, 2)
            << fmt::format("  explains {} of what is unlike the file\n  do: {}\n", percent(finding.explains),
                           what_to_do(finding.fault.kind));
    }
    for (const acceptance::SlowKind& kind : report.verdict.slow_kinds) {
        out << "\n"
            << wrapped(fmt::format("Fault: all cables like {} reach {} of what the file says",
                                   link_list(report.graph,
                                             {report.plan.tests[static_cast<std::size_t>(kind.test)].links.front()}),
                                   percent(kind.share)),
                       2)
            << "  do: see what limits hosts; if it is right so, coll-topo calibrate writes it into the file\n";
    }
}

void write_rest(const CableReport& report, std::ostream& out) {
    for (const int host : report.verdict.silent) {
        out << fmt::format("\nFault: host {} did not answer\n", report.fabric.hosts.name(host));
    }
    const std::vector<int>& open = report.verdict.not_explained;
    if (open.empty()) return;
    out << fmt::format("\nNot explained: {}\n", counted(static_cast<long long>(open.size()), "test", "tests"));
    for (std::size_t i = 0; i < std::min(most_tests_named, open.size()); ++i) {
        out << "  " << test_text(report, open[i]) << "\n";
    }
}

std::string rates_text(const std::vector<double>& sorted) {
    return sorted.empty() ? "-" : bandwidth_text(sorted[sorted.size() / 2]) + ", " + bandwidth_text(sorted.front());
}

/// The median and the least of each kind of test, without those that had no result.
TextTable rates_table(const CableReport& report) {
    const std::vector<int> kinds = kinds_of_tests(report.plan, report.fabric, report.graph);
    std::map<int, std::vector<std::size_t>> tests;
    for (std::size_t i = 0; i < kinds.size(); ++i) tests[kinds[i]].push_back(i);
    TextTable table({{"cables like"},
                     {"tests", true},
                     {"no result", true},
                     {"alone: median, least", true},
                     {"together: median, least", true}});
    for (const auto& [kind, own] : tests) {
        const auto sorted = [&](const std::vector<double>& results) {
            std::vector<double> rates;
            for (const std::size_t test : own) {
                if (results[test] > 0) rates.push_back(results[test]);
            }
            std::sort(rates.begin(), rates.end());
            return rates;
        };
        const auto alone = sorted(report.cables.measured.alone);
        table.add({link_list(report.graph, {report.plan.tests[own.front()].links.front()}), std::to_string(own.size()),
                   std::to_string(own.size() - alone.size()), rates_text(alone),
                   rates_text(sorted(report.cables.measured.together))});
    }
    return table;
}

JsonValue finding_json(const CableReport& report, const acceptance::Finding& finding) {
    const auto text = [&](const acceptance::Fault& fault) { return fault_text(fault, report.fabric, report.graph); };
    std::vector<std::string> or_else;
    for (const acceptance::Fault& other : finding.or_else) or_else.push_back(text(other));
    return JsonValue::object({{"kind", kind_name(finding.fault.kind)},
                              {"what", text(finding.fault)},
                              {"or", or_else},
                              {"explains", finding.explains},
                              {"do", what_to_do(finding.fault.kind)}});
}

JsonValue link_json(const CableReport& report, std::size_t test, int link) {
    const Link& ends = report.graph.links()[static_cast<std::size_t>(link)];
    return JsonValue::object({{"from", report.graph.name(ends.from)},
                              {"to", report.graph.name(ends.to)},
                              {"number", acceptance::ends_of(report.graph, link).number},
                              {"bandwidth", ends.bandwidth},
                              {"alone", report.cables.measured.alone[test]},
                              {"together", report.cables.measured.together[test]}});
}

JsonValue slow_kind_json(const CableReport& report, const acceptance::SlowKind& kind) {
    const int link = report.plan.tests[static_cast<std::size_t>(kind.test)].links.front();
    return JsonValue::object({{"like", link_list(report.graph, {link})}, {"share", kind.share}});
}

std::vector<std::string> host_names(const CableReport& report, const std::vector<int>& hosts) {
    std::vector<std::string> names;
    for (const int host : hosts) names.emplace_back(report.fabric.hosts.name(host));
    return names;
}

/// An array of what `element` makes of each item.
template <typename Items, typename Element>
void write_array(JsonWriter& json, const char* name, const Items& items, Element element) {
    json.begin_array(name);
    for (const auto& item : items) json.element(element(item));
    json.end_array();
}

}  // namespace

void write_verdict_text(const CableReport& report, std::ostream& out) {
    const acceptance::CableVerdict& verdict = report.verdict;
    out << (verdict.accepted ? "Accepted: " : "Not accepted: ") << report.fabric.summary() << "\n";
    if (const auto absent = absent_hosts(report); !absent.empty()) {
        out << wrapped(fmt::format("Not in the job, and their cables not tested: {}", fmt::join(absent, ", ")), 0);
    }
    if (!report.plan.untested.empty()) {
        out << wrapped("Not tested: " + link_list(report.graph, report.plan.untested), 0);
    }
    write_findings(report, out);
    write_rest(report, out);
    out << "\n" << rates_table(report).text();
}

void write_verdict_json(const CableReport& report, std::ostream& out) {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("network", report.fabric.summary());
    json.member("mpi", report.cables.mpi);
    json.member("accepted", report.verdict.accepted);
    json.member("explained", report.verdict.explained);
    json.member("silent", host_names(report, report.verdict.silent));
    json.member("not_in_job", absent_hosts(report));
    write_array(json, "findings", report.verdict.findings,
                [&](const acceptance::Finding& finding) { return finding_json(report, finding); });
    write_array(json, "slow_kinds", report.verdict.slow_kinds,
                [&](const acceptance::SlowKind& kind) { return slow_kind_json(report, kind); });
    write_array(json, "not_explained", report.verdict.not_explained,
                [&](int test) { return JsonValue(test_text(report, test)); });
    json.begin_array("links");
    for (std::size_t test = 0; test < report.plan.tests.size(); ++test) {
        for (const int link : report.plan.tests[test].links) json.element(link_json(report, test, link));
    }
    json.end_array();
}

}  // namespace coll_topo::tool
