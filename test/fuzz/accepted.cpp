// SPDX-License-Identifier: BSD-3-Clause
// What coll-topo accept reads besides measurements of cables.
#include "coll_topo/tool/accept/acceptance.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/accept/page_text.hpp"
#include "coll_topo/tool/accept/report_text.hpp"

#include <fmt/format.h>

namespace coll_topo::fuzz {

namespace {

constexpr std::string_view mesh = "TorusName=t Dims=2x2 Wrap=nn Nodes=n[0-3] Bandwidth=1GB/s Latency=1us\n";

const TopologyFile& network() {
    static const TopologyFile file = *read_topology_text(mesh, text_name);
    return file;
}

/// A report can be written of whatever was read, and has nothing that a browser would take for more than text.
std::string wrong_report(const tool::Acceptance& acceptance) {
    const std::string page = tool::page_of(acceptance);
    if (page.find("{{") != std::string::npos) return "the page has a hole";
    if (page.find("<img") != std::string::npos || page.find("<iframe") != std::string::npos) return "a text is markup";
    return tool::junit_text(acceptance).empty() ? "no report for test systems" : "";
}

tool::Acceptance accepted() {
    return {network().fabric, "t.conf", "coll-topo accept", "today", "1", {}};
}

}  // namespace

std::string conditions_complaint(std::string_view bytes) {
    tool::AcceptanceLimits limits;
    const auto read = tool::read_limits(bytes, text_name, limits);
    if (!read) return misplaced(read.error(), bytes);
    const auto is_within = [](const std::optional<double>& value, double least, double most) {
        return !value || (*value >= least && *value <= most);
    };
    const bool sane = is_within(limits.least_share, 0.05, 0.99) && is_within(limits.most_slower, 0, 10) &&
                      is_within(limits.prediction_factor, 1, 1000) && is_within(limits.worse_than_before, 0, 10) &&
                      limits.absent_hosts.value_or(0) >= 0;
    return sane ? "" : "a condition that cannot be";
}

std::string baseline_complaint(std::string_view bytes) {
    auto baseline = tool::read_baseline(bytes, text_name, network().fabric);
    if (!baseline) return baseline.error().message.empty() ? "an error without a message" : "";
    for (const auto& [ends, rate] : baseline->links) {
        if (!(rate >= 0)) return "a cable that carries less than nothing";
    }
    for (const auto& [call, time] : baseline->times) {
        if (!(time.median >= 0 && time.least >= 0)) return "a time below nothing";
    }
    tool::Acceptance acceptance = accepted();
    acceptance.baseline = std::move(*baseline);
    return wrong_report(acceptance);
}

std::string host_facts_complaint(std::string_view bytes) {
    auto facts = tool::read_host_facts(bytes, text_name);
    if (!facts) return facts.error().message.empty() ? "an error without a message" : "";
    tool::Acceptance acceptance = accepted();
    acceptance.hosts = std::move(*facts);
    return wrong_report(acceptance);
}

std::string result_checks_complaint(std::string_view bytes) {
    auto stage = tool::read_results(bytes, text_name);
    if (!stage) return stage.error().message.empty() ? "an error without a message" : "";
    for (const tool::ResultCheck& check : stage->checks) {
        if (check.wrong > check.calls || check.served > check.calls) return "more calls wrong or served than made";
    }
    tool::Acceptance acceptance = accepted();
    acceptance.results = std::move(*stage);
    return wrong_report(acceptance);
}

}  // namespace coll_topo::fuzz
