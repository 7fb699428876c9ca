// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/plan_json.hpp"

#include "coll_topo/tool/network/network_json.hpp"

#include <cstdint>
#include <set>
#include <utility>

namespace coll_topo::tool {

namespace {

const char* name_of(Buffer buffer) {
    constexpr const char* names[] = {"input", "output", "scratch"};
    return names[static_cast<int>(buffer)];
}

const char* name_of(Operand operand) {
    return operand == Operand::left ? "left" : "right";
}

JsonValue transfer_json(const char* kind, const Action& action) {
    return JsonValue::object(
        {{kind, action.peer}, {"buffer", name_of(action.buffer)}, {"first", action.first}, {"count", action.count}});
}

JsonValue local_json(const Action& action) {
    return JsonValue::object({{"copy", name_of(action.buffer)},
                              {"first", action.first},
                              {"to", name_of(action.target)},
                              {"at", action.at},
                              {"count", action.count}});
}

JsonValue action_json(const Action& action) {
    JsonValue json;
    switch (action.kind) {
        case ActionKind::send:
            return transfer_json("send", action);
        case ActionKind::receive:
            return transfer_json("recv", action);
        case ActionKind::copy:
            return local_json(action);
        case ActionKind::receive_reduce:
            json = transfer_json("recv", action);
            break;
        case ActionKind::reduce:
            json = local_json(action);
            break;
    }
    json.add("reduce", true);
    json.add("operand", name_of(action.operand));
    return json;
}

JsonValue program_json(const Program& program, int rank) {
    std::vector<JsonValue> lanes;
    for (const Lane& lane : program.lanes) {
        std::vector<JsonValue> steps;
        for (const Step& step : program.steps_of(lane)) {
            std::vector<JsonValue> actions;
            for (const Action& action : program.actions_of(step)) actions.push_back(action_json(action));
            steps.emplace_back(actions);
        }
        lanes.push_back(
            JsonValue::object({{"window", lane.window}, {"sends_at_once", lane.sends_at_once}, {"steps", steps}}));
    }
    JsonValue json = JsonValue::object({{"rank", rank}});
    if (program.scratch_blocks > 0) json.add("scratch_blocks", program.scratch_blocks);
    if (!program.scratch_order.empty()) json.add("scratch_order", program.scratch_order);
    json.add("lanes", lanes);
    return json;
}

std::vector<std::pair<int, int>> talking_hosts(const Scenario& scenario, const Schedule& schedule) {
    std::set<std::pair<int, int>> pairs;
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
        for (const Action& action : schedule[rank].actions) {
            if (action.kind != ActionKind::send) continue;
            const std::pair hosts(scenario.placement[rank].host, scenario.placement[action.peer].host);
            if (hosts.first != hosts.second) pairs.insert(hosts);
        }
    }
    return {pairs.begin(), pairs.end()};
}

}  // namespace

void write_plan_json(std::ostream& out, const Scenario& scenario, const Candidate& candidate, const Schedule& schedule,
                     LinkGraph& network, const std::vector<int>& ranks, bool routes) {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("collective", collective_name(scenario.request.collective()));
    json.member("algorithm", candidate.algorithm->name);
    json.member("bytes", static_cast<std::int64_t>(scenario.request.bytes));
    json.member("root", candidate.problem.root);
    json.member("lanes", candidate.problem.lanes);
    json.member("aggregators", candidate.problem.aggregators);
    json.member("segments", candidate.problem.segments);
    json.member("predicted_seconds", candidate.seconds);
    json.member("blocks", schedule[0].blocks);
    json.begin_array("ranks");
    for (int rank = 0; rank < scenario.grid.ranks(); ++rank) {
        json.element(JsonValue::object({{"rank", rank}, {"host", network.name(scenario.placement[rank].host)}}));
    }
    json.end_array();
    write_links(json, network);
    if (routes) write_routes(json, network, talking_hosts(scenario, schedule));
    json.begin_array("programs");
    for (const int rank : ranks) json.element(program_json(schedule[rank], rank));
    json.end_array();
}

}  // namespace coll_topo::tool
