// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/measured_cables.hpp"

#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/output/json_number.hpp"

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

/// The names of the lists of numbers.
constexpr std::pair<const char*, std::vector<double> acceptance::CableMeasurement::*> number_lists[] = {
    {"latency", &acceptance::CableMeasurement::latency},
    {"alone", &acceptance::CableMeasurement::alone},
    {"together", &acceptance::CableMeasurement::together}};

}  // namespace

std::string measured_cables_json(const MeasuredCables& cables, const Fabric& fabric) {
    Json document{{"version", version}, {"network", cables.network}, {"mpi", cables.mpi}, {"hosts", cables.hosts}};
    document["silent"] = Json::array();
    for (const int host : cables.measured.silent) document["silent"].push_back(fabric.hosts.name(host));
    for (const auto& [name, member] : number_lists) document[name] = cables.measured.*member;
    return document.dump() + '\n';
}

Expected<MeasuredCables> read_measured_cables(std::string_view text, const std::string& name, const Fabric& fabric) {
    const auto wrong = [&](const std::string& what) {
        return failure("no measurements of cables by coll-topo-measure: " + what, {name});
    };
    try {
        const Json document = Json::parse(text);
        if (const auto found = whole_number(document, "version", 0); found != version) {
            return failure("version " + std::to_string(found) + " of measurements; expected " + std::to_string(version),
                           {name});
        }
        MeasuredCables cables;
        cables.network = document.at("network").get<std::string>();
        if (cables.network != fabric.summary()) {
            return failure("the measurements are of another network: " + cables.network, {name});
        }
        cables.mpi = document.at("mpi").get<std::string>();
        cables.hosts = document.at("hosts").get<std::vector<std::string>>();
        for (const auto& silent : document.at("silent").get<std::vector<std::string>>()) {
            cables.measured.silent.push_back(fabric.hosts.find(silent));
        }
        for (const std::string& host : cables.hosts) {
            if (fabric.hosts.find(host) == NameTable::missing) return wrong("the file has no host " + in_quotes(host));
        }
        for (const int host : cables.measured.silent) {
            if (host == NameTable::missing) return wrong("a silent host is not in the file");
        }
        for (const auto& [list, member] : number_lists) {
            cables.measured.*member = document.at(list).get<std::vector<double>>();
        }
        return cables;
    } catch (const Json::exception& error) {
        return wrong(error.what());
    } catch (const std::out_of_range& error) {
        return wrong(error.what());
    }
}

}  // namespace coll_topo::tool
