// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/cable_faults.hpp"

#include "coll_topo/acceptance/shortfall.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>

namespace coll_topo::tool {

namespace {

using acceptance::FaultKind;

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

std::string first_link(const CableReport& report, int test) {
    return link_list(report.graph, {report.plan.tests[static_cast<std::size_t>(test)].links.front()});
}

/// What each of these tests gave.
std::vector<std::string> tests_text(const CableReport& report, const std::vector<int>& tests) {
    std::vector<std::string> texts;
    for (const int test : tests) {
        const auto index = static_cast<std::size_t>(test);
        const auto rate = [&](double measured) { return measured > 0 ? bandwidth_text(measured) : "no result"; };
        texts.push_back(fmt::format("{}: alone {}, together {}", first_link(report, test),
                                    rate(report.cables.measured.alone[index]),
                                    rate(report.cables.measured.together[index])));
    }
    return texts;
}

/// The median and the least; without tests that had no result.
std::pair<double, double> median_and_least(const std::vector<double>& results, const std::vector<int>& tests) {
    std::vector<double> rates;
    for (const int test : tests) {
        if (const double rate = results[static_cast<std::size_t>(test)]; rate > 0) rates.push_back(rate);
    }
    if (rates.empty()) return {0, 0};
    std::sort(rates.begin(), rates.end());
    return {rates[rates.size() / 2], rates.front()};
}

}  // namespace

std::vector<CableFault> faults_of(const CableReport& report) {
    std::vector<CableFault> faults;
    for (const acceptance::Finding& finding : report.verdict.findings) {
        const auto text = [&](const acceptance::Fault& fault) {
            return fault_text(fault, report.fabric, report.graph);
        };
        CableFault& fault = faults.emplace_back();
        fault.kind = kind_name(finding.fault.kind);
        fault.what = text(finding.fault);
        for (const acceptance::Fault& other : finding.or_else) fault.or_else.push_back(text(other));
        fault.explains = finding.explains;
        fault.to_do = what_to_do(finding.fault.kind);
    }
    for (const acceptance::SlowKind& kind : report.verdict.slow_kinds) {
        faults.push_back({"slow kind of cables",
                          fmt::format("all cables like {} reach {} of what the file says",
                                      first_link(report, kind.test), share_text(kind.share)),
                          {},
                          std::nullopt,
                          "see what limits hosts; if it is right so, coll-topo calibrate writes it into the file"});
    }
    for (const int host : report.verdict.silent) {
        faults.push_back({"silent host",
                          fmt::format("host {} did not answer", report.fabric.hosts.name(host)),
                          {},
                          std::nullopt,
                          "see whether it is up, and whether its network is"});
    }
    return faults;
}

std::vector<std::string> not_explained(const CableReport& report) {
    return tests_text(report, report.verdict.not_explained);
}

std::vector<std::string> doubtful(const CableReport& report) {
    return tests_text(report, report.verdict.doubtful);
}

std::vector<CableRates> rates_of(const CableReport& report) {
    const std::vector<int> kinds = kinds_of_tests(report.plan, report.fabric, report.graph);
    std::map<int, std::vector<int>> tests;
    for (std::size_t i = 0; i < kinds.size(); ++i) tests[kinds[i]].push_back(static_cast<int>(i));
    std::vector<CableRates> rows;
    for (const auto& [kind, own] : tests) {
        CableRates& row = rows.emplace_back();
        row.like = first_link(report, own.front());
        row.tests = own.size();
        row.without_result = static_cast<std::size_t>(std::count_if(own.begin(), own.end(), [&](int test) {
            return report.cables.measured.alone[static_cast<std::size_t>(test)] <= 0;
        }));
        std::tie(row.median_alone, row.least_alone) = median_and_least(report.cables.measured.alone, own);
        std::tie(row.median_together, row.least_together) = median_and_least(report.cables.measured.together, own);
    }
    return rows;
}

std::string share_text(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

}  // namespace coll_topo::tool
