// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cable_plan.hpp"
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/tool/accept/effort_table.hpp"
#include "coll_topo/tool/commands/accept_options.hpp"

#include <fmt/format.h>
#include <numeric>

namespace coll_topo::tool {

namespace {

void write_text(const Fabric& fabric, const LinkGraph& graph, const acceptance::CablePlan& plan,
                const CableEffort& effort, std::ostream& out) {
    const auto directions = [](std::size_t count) {
        return counted(static_cast<long long>(count), "direction", "directions");
    };
    const std::size_t tested = graph.links().size() - plan.untested.size();
    out << fabric.summary() << "\n"
        << fmt::format("{} of {} cables, {} tested\n\n", directions(graph.links().size()), graph.links().size() / 2,
                       tested == graph.links().size() ? "all" : std::to_string(tested));
    effort.rounds.write_text(out);
    out << "\nexpected time: "
        << (effort.seconds ? duration_text(*effort.seconds) : "not known: the file has no bandwidth") << "\n";
    if (!plan.untested.empty()) {
        out << wrapped("Not tested, since no message between two hosts was found that takes them: " +
                           link_list(graph, plan.untested),
                       0);
    }
    if (!plan.not_filled.empty()) {
        out << wrapped("Faster than what hosts can send through them: " + link_list(graph, plan.not_filled), 0);
    }
}

void write_data(const AcceptOptions& options, const Fabric& fabric, const LinkGraph& graph,
                const acceptance::CablePlan& plan, const CableEffort& effort, std::ostream& out) {
    if (options.format == Format::csv) return effort.rounds.write_csv(out);
    JsonWriter json(out);
    json.member("network", fabric.summary());
    json.member("links", static_cast<std::int64_t>(graph.links().size()));
    json.member("links_not_tested", static_cast<std::int64_t>(plan.untested.size()));
    json.member("links_not_filled", static_cast<std::int64_t>(plan.not_filled.size()));
    json.member("seconds", effort.seconds ? JsonValue(*effort.seconds) : JsonValue());
    effort.rounds.write_json(json, "rounds");
}

}  // namespace

Expected<int> show_effort(const AcceptOptions& options, const Fabric& fabric, const Console& console) {
    LinkGraph graph(fabric);
    std::vector<int> hosts(static_cast<std::size_t>(fabric.hosts.size()));
    std::iota(hosts.begin(), hosts.end(), 0);
    const acceptance::CablePlan plan = acceptance::make_cable_plan(fabric, graph, hosts);
    const CableEffort effort = cable_effort(plan, fabric, graph);
    if (options.format == Format::text) {
        write_text(fabric, graph, plan, effort, console.out);
    } else {
        write_data(options, fabric, graph, plan, effort, console.out);
    }
    return exit_success;
}

}  // namespace coll_topo::tool
