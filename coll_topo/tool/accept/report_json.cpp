// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/cluster.hpp"
#include "coll_topo/tool/accept/report_text.hpp"
#include "coll_topo/tool/output/json_writer.hpp"

#include <map>

namespace coll_topo::tool {

namespace {

/// What `convert` makes of each item.
template <typename Items, typename Convert>
std::vector<JsonValue> each(const Items& items, Convert convert) {
    std::vector<JsonValue> values;
    for (const auto& item : items) values.push_back(convert(item));
    return values;
}

template <typename Number>
JsonValue or_null(const std::optional<Number>& number) {
    return number ? JsonValue(*number) : JsonValue();
}

JsonValue object_of(const std::map<std::string, std::string>& facts) {
    JsonValue object = JsonValue::object({});
    for (const auto& [name, value] : facts) object.add(name, value);
    return object;
}

JsonValue condition_json(const Condition& condition) {
    return JsonValue::object({{"name", condition.name},
                              {"what", condition.what},
                              {"outcome", outcome_name(condition.outcome)},
                              {"found", condition.found}});
}

JsonValue hosts_json(const HostStage& hosts) {
    const auto difference = [](const Difference& one) {
        return JsonValue::object({{"what", one.what},
                                  {"usual", one.usual},
                                  {"value", one.value},
                                  {"hosts", one.hosts},
                                  {"matters", one.matters}});
    };
    return JsonValue::object({{"ranks", static_cast<std::int64_t>(hosts.ranks.size())},
                              {"hosts", hosts.hosts()},
                              {"common", object_of(common_facts(hosts))},
                              {"differences", each(differences(hosts), difference)},
                              {"wrong_binding", hosts_with_wrong_binding(hosts)}});
}

JsonValue fault_json(const CableFault& fault) {
    return JsonValue::object({{"kind", fault.kind},
                              {"what", fault.what},
                              {"or", fault.or_else},
                              {"explains", or_null(fault.explains)},
                              {"do", fault.to_do}});
}

std::vector<JsonValue> links_json(const CableReport& report) {
    std::vector<JsonValue> links;
    for (std::size_t test = 0; test < report.plan.tests.size(); ++test) {
        for (const int link : report.plan.tests[test].links) {
            const Link& ends = report.graph.links()[static_cast<std::size_t>(link)];
            links.push_back(JsonValue::object({{"from", report.graph.name(ends.from)},
                                               {"to", report.graph.name(ends.to)},
                                               {"number", acceptance::ends_of(report.graph, link).number},
                                               {"bandwidth", ends.bandwidth},
                                               {"alone", report.cables.measured.alone[test]},
                                               {"together", report.cables.measured.together[test]}}));
        }
    }
    return links;
}

JsonValue cables_json(const CableReport& report) {
    std::vector<std::string> silent;
    for (const int host : report.verdict.silent) silent.emplace_back(report.fabric.hosts.name(host));
    return JsonValue::object({{"accepted", report.verdict.accepted},
                              {"explained", report.verdict.explained},
                              {"silent", silent},
                              {"faults", each(faults_of(report), fault_json)},
                              {"not_explained", not_explained(report)},
                              {"doubtful", doubtful(report)},
                              {"links", links_json(report)}});
}

JsonValue results_json(const ResultStage& results) {
    const auto check = [](const ResultCheck& one) {
        return JsonValue::object({{"collective", one.collective},
                                  {"algorithm", one.algorithm},
                                  {"calls", one.calls},
                                  {"served", one.served},
                                  {"wrong", one.wrong},
                                  {"first_wrong", one.first_wrong}});
    };
    return JsonValue::object(
        {{"complete", results.complete}, {"missing", results.missing}, {"checks", each(results.checks, check)}});
}

JsonValue speed_json(const SpeedStage& speed) {
    const auto speed_case = [](const SpeedCase& one) {
        JsonValue components = JsonValue::object({});
        for (const auto& [name, time] : one.components) {
            components.add(name, JsonValue::object({{"median", time.median}, {"least", time.least}}));
        }
        return JsonValue::object({{"collective", one.collective},
                                  {"bytes", one.bytes},
                                  {"components", components},
                                  {"bound", or_null(one.bound)},
                                  {"predicted", or_null(one.predicted)},
                                  {"best_other", one.best_other},
                                  {"slower", one.slower},
                                  {"lost", one.lost},
                                  {"repeated", one.repeated},
                                  {"served", one.served},
                                  {"right", one.right},
                                  {"mended_by", one.mended_by}});
    };
    return JsonValue::object({{"missing", speed.missing}, {"cases", each(speed.cases, speed_case)}});
}

}  // namespace

void write_report_json(const Acceptance& acceptance, std::ostream& out) {
    const auto conditions = conditions_of(acceptance);
    const auto absent = absent_hosts(acceptance);
    JsonWriter json(out);
    json.member("version", 2);
    json.member("date", acceptance.date);
    json.member("coll_topo", acceptance.version);
    json.member("network", acceptance.fabric.summary());
    json.member("file", acceptance.file);
    json.member("command", acceptance.command);
    json.member("complete", acceptance.interrupted.empty());
    json.member("interrupted", acceptance.interrupted);
    json.member("accepted", acceptance.interrupted.empty() && is_accepted(conditions));
    json.member("errors", acceptance.errors);
    json.member("conditions", each(conditions, condition_json));
    json.member("absent_hosts", absent ? JsonValue(*absent) : JsonValue());
    json.member("hosts", acceptance.hosts ? hosts_json(*acceptance.hosts) : JsonValue());
    json.member("cables", acceptance.cables ? cables_json(*acceptance.cables) : JsonValue());
    json.member("results", acceptance.results ? results_json(*acceptance.results) : JsonValue());
    json.member("speed", acceptance.speed ? speed_json(*acceptance.speed) : JsonValue());
}

}  // namespace coll_topo::tool
