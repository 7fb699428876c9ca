// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/measured_cables.hpp"

#include "coll_topo/acceptance/partial_measurement.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/output/json_number.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr double most_number = 1e18;  // bytes/s, and seconds

/// The names of the lists of numbers.
constexpr std::pair<const char*, std::vector<double> acceptance::CableMeasurement::*> number_lists[] = {
    {"latency", &acceptance::CableMeasurement::latency},
    {"alone", &acceptance::CableMeasurement::alone},
    {"together", &acceptance::CableMeasurement::together}};

}  // namespace

std::string measured_cables_json(const MeasuredCables& cables, const Fabric& fabric) {
    Json document{{"version", version},
                  {"network", cables.network},
                  {"mpi", cables.mpi},
                  {"rounds", {{"first", cables.first_round}, {"done", cables.rounds_done}, {"of", cables.rounds}}},
                  {"hosts", cables.hosts}};
    document["silent"] = Json::array();
    std::vector<int> silent = cables.measured.silent;
    std::sort(silent.begin(), silent.end());
    for (const int host : silent) document["silent"].push_back(fabric.hosts.name(host));
    for (const auto& [name, member] : number_lists) document[name] = cables.measured.*member;
    return document.dump() + '\n';
}

namespace {

/// In the order of the file, each once.
std::vector<int> hosts_of(const std::vector<std::string>& names, const Fabric& fabric) {
    std::vector<int> hosts;
    for (const std::string& name : names) {
        const int host = fabric.hosts.find(name);
        if (host == NameTable::missing) throw std::out_of_range("the file has no host " + in_quotes(name));
        if (!hosts.empty() && host <= hosts.back()) {
            throw std::out_of_range("host " + in_quotes(name) + " is not in the order of the file");
        }
        hosts.push_back(host);
    }
    return hosts;
}

MeasuredCables cables_of(const Json& document, const Fabric& fabric) {
    MeasuredCables cables;
    cables.network = document.at("network").get<std::string>();
    cables.mpi = document.at("mpi").get<std::string>();
    if (document.contains("rounds")) {  // without, it is of a version that had only complete measurements
        const Json& rounds = document.at("rounds");
        cables.rounds = static_cast<int>(whole_number(rounds, "of", 0));
        cables.rounds_done = static_cast<int>(whole_number(rounds, "done", 0, cables.rounds));
        cables.first_round = static_cast<int>(whole_number(rounds, "first", 0, cables.rounds_done));
    }
    cables.hosts = document.at("hosts").get<std::vector<std::string>>();
    const std::vector<int> hosts = hosts_of(cables.hosts, fabric);
    cables.measured.silent = hosts_of(document.at("silent").get<std::vector<std::string>>(), fabric);
    for (const int host : cables.measured.silent) {
        if (!std::binary_search(hosts.begin(), hosts.end(), host)) {
            throw std::out_of_range("a silent host did not take part");
        }
    }
    for (const auto& [name, member] : number_lists) {
        cables.measured.*member = document.at(name).get<std::vector<double>>();
        for (const double number : cables.measured.*member) {
            if (!(number >= 0 && number < most_number))
                throw std::out_of_range(std::string(name) + " has a number that cannot be");
        }
    }
    return cables;
}

}  // namespace

Expected<MeasuredCables> read_measured_cables(std::string_view text, const std::string& name, const Fabric& fabric) {
    const auto wrong = [&](const std::exception& error) {
        return failure("no measurements of cables by coll-topo-measure: " + std::string(error.what()), {name});
    };
    try {
        const Json document = Json::parse(text);
        if (const auto found = whole_number(document, "version", 0); found != version) {
            return failure("version " + std::to_string(found) + " of measurements; expected " + std::to_string(version),
                           {name});
        }
        if (const auto network = document.at("network").get<std::string>(); network != fabric.summary()) {
            return failure("the measurements are of another network: " + network, {name});
        }
        return cables_of(document, fabric);
    } catch (const Json::exception& error) {
        return wrong(error);
    } catch (const std::out_of_range& error) {
        return wrong(error);
    }
}

std::string waiting_line(std::string_view host) {
    return Json{{"waits", host}}.dump() + '\n';
}

int waiting_host(std::string_view line, const Fabric& fabric) {
    constexpr std::string_view begin = R"({"waits":)";  // rather than to read each line of results twice
    if (!line.starts_with(begin)) return -1;
    const Json document = Json::parse(line, nullptr, false);
    if (!document.is_object() || !document.contains("waits") || !document.at("waits").is_string()) return -1;
    const int host = fabric.hosts.find(document.at("waits").get<std::string>());
    return host == NameTable::missing ? -1 : host;
}

Expected<acceptance::CablePlan> measured_plan(const MeasuredCables& cables, const Fabric& fabric, LinkGraph& graph) {
    std::vector<int> hosts;
    for (const std::string& host : cables.hosts) hosts.push_back(fabric.hosts.find(host));
    acceptance::CablePlan plan = acceptance::make_cable_plan(fabric, graph, hosts);
    const acceptance::CableMeasurement& measured = cables.measured;
    if (measured.latency.size() != plan.pairs.size() || measured.alone.size() != plan.tests.size() ||
        measured.together.size() != plan.tests.size()) {
        return failure("the measurements are those of another version of coll-topo, with other tests");
    }
    return plan;
}

Expected<MeasuredCables> joined(const MeasuredCables& first, const MeasuredCables& rest, const Fabric& fabric) {
    if (first.hosts != rest.hosts || first.rounds != rest.rounds) {
        return failure("what was measured before is of other hosts: measure all again, without --resume");
    }
    if (rest.first_round > first.rounds_done) return failure("some rounds are missing between two measurements");
    LinkGraph graph(fabric);
    ASSIGN_OR_RETURN(const acceptance::CablePlan plan, measured_plan(first, fabric, graph));
    RETURN_IF_ERROR(measured_plan(rest, fabric, graph));
    MeasuredCables all = rest;
    all.first_round = first.first_round;
    all.measured = acceptance::joined(plan, first.measured, rest.first_round, rest.measured);
    return all;
}

}  // namespace coll_topo::tool
