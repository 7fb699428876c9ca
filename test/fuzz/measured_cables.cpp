// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/measured_cables.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/acceptance/verdict.hpp"
#include "coll_topo/input/topology_file.hpp"

namespace coll_topo::fuzz {

namespace {

constexpr std::string_view cabled_mesh = "TorusName=t Dims=2x2 Wrap=nn Nodes=n[0-3] Bandwidth=1GB/s Latency=1us\n";

/// Judges measurements that fit the plan.
std::string wrong_verdict(const Fabric& fabric, const tool::MeasuredCables& cables) {
    LinkGraph graph(fabric);
    const auto plan = tool::measured_plan(cables, fabric, graph);
    if (!plan) return "";
    const acceptance::CableVerdict verdict = acceptance::judge_cables(*plan, fabric, graph, cables.measured);
    if (!(verdict.explained >= 0 && verdict.explained <= 1)) return "a verdict explains no share";
    if (verdict.accepted && !cables.measured.silent.empty()) return "a silent host is accepted";
    return "";
}

}  // namespace

std::string measured_cables_complaint(std::string_view bytes) {
    const auto file = read_topology_text(cabled_mesh, text_name);
    const auto cables = tool::read_measured_cables(bytes, text_name, file->fabric);
    if (!cables) return cables.error().message.empty() ? "an error without a message" : "";
    const std::string text = tool::measured_cables_json(*cables, file->fabric);
    const auto again = tool::read_measured_cables(text, text_name, file->fabric);
    if (!again) return "cannot be read again: " + again.error().text() + "\n" + text;
    if (tool::measured_cables_json(*again, file->fabric) != text) return "other values when read again:\n" + text;
    if (tool::waiting_host(bytes, file->fabric) >= 0) return "results are taken for the sign of a host that waits";
    if (const auto all = tool::joined(*cables, *cables, file->fabric); all && all->rounds_done != cables->rounds_done) {
        return "rounds got lost, or were made up";
    }
    return wrong_verdict(file->fabric, *cables);
}

}  // namespace coll_topo::fuzz
