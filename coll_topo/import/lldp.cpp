// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/lldp.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/import/source_lines.hpp"
#include "coll_topo/input/wording.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

namespace coll_topo::importing {

namespace {

using Json = nlohmann::json;

/// The member of an object, or null.
const Json& member(const Json& object, const char* name) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

/// What can be one thing or a list of them.
std::vector<Json> all_of(const Json& value) {
    if (value.is_array()) return value.get<std::vector<Json>>();
    return value.is_object() ? std::vector<Json>{value} : std::vector<Json>{};
}

/// The neighbour at one interface. The chassis stands under its name, if it has one.
Json neighbour(const std::string& interface, const Json& value, const InterfaceFacts& facts) {
    Json line = {{"name", interface}};
    if (!facts.address.empty()) line["address"] = facts.address;
    if (facts.megabits > 0) line["megabits"] = facts.megabits;
    const Json& chassis = member(value, "chassis");
    const Json* described = &chassis;
    if (chassis.is_object() && !chassis.contains("id") && !chassis.empty()) {
        line["neighbour"] = chassis.begin().key();
        described = &chassis.begin().value();
    }
    line["chassis"] = text_of(member(member(*described, "id"), "value"));
    for (const Json& capability : all_of(member(*described, "capability"))) {
        if (text_of(member(capability, "type")) == "Bridge") line["bridge"] = member(capability, "enabled") == true;
    }
    line["port"] = text_of(member(member(member(value, "port"), "id"), "value"));
    return line;
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

class Reader {
public:
    explicit Reader(std::string file) : file_(std::move(file)) {}

    Expected<void> add(const Json& json, int line) {
        const std::string host = text_of(member(json, "host"));
        if (host.empty()) return failure("expected a line {\"host\": ...}", {file_, line});
        if (const std::string error = text_of(member(json, "error")); !error.empty()) {
            if (failed_++ == 0) list_.notes.push_back({host + ": " + error, {file_, line}});
            return {};
        }
        const auto [known, is_new] = line_of_host_.try_emplace(host, line);
        if (!is_new) {
            if (json == lines_[known->first]) return {};  // of another process on the host
            return failure(
                "a second line of host " + in_quotes(host) + "; first in line " + std::to_string(known->second),
                {file_, line});
        }
        for (const Json& one : all_of(member(json, "interface"))) {
            if (member(one, "bridge") == true) bridges_.insert(text_of(member(one, "neighbour")));
        }
        lines_[host] = json;
        return {};
    }

    Expected<CableList> finish() {
        for (const auto& [host, json] : lines_) {
            for (const Json& one : all_of(member(json, "interface"))) add_cable(host, one, line_of_host_[host]);
        }
        if (failed_ > 1)
            list_.notes.push_back(
                {(failed_ == 2 ? "so does " : "so do ") + counted(failed_ - 1, "other host", "other hosts"), {file_}});
        if (list_.cables.empty()) return failure("no host has a neighbour", {file_, 1});
        return std::move(list_);
    }

private:
    bool is_switch(const std::string& name) const { return bridges_.count(name) > 0; }

    int device(const std::string& id, DeviceKind kind, const std::string& name, int line) {
        const auto [place, is_new] = device_of_id_.try_emplace(id, static_cast<int>(list_.devices.size()));
        if (is_new) list_.devices.push_back({kind, id, name, line});
        return place->second;
    }

    int port(int device, const std::string& name) {
        auto& ports = ports_[device];
        return ports.try_emplace(name, static_cast<int>(ports.size()) + 1).first->second;
    }

    void add_cable(const std::string& host, const Json& one, int line) {
        const std::string name = text_of(member(one, "neighbour")), chassis = text_of(member(one, "chassis"));
        const std::string interface = text_of(member(one, "name"));
        if (name.empty() && chassis.empty()) return;
        if (lines_.count(name) > 0 && !is_switch(name)) return;  // a host, which sees the cable itself
        int own = -1;
        if (is_switch(host)) {
            own = device(host, DeviceKind::network_switch, host, line);
        } else {
            own = device(host + ' ' + interface, DeviceKind::adapter, host + ' ' + interface, line);
            const std::string address = text_of(member(one, "address"));
            if (!address.empty()) list_.devices[own].addresses = {address};
        }
        const int far = device(name.empty() ? chassis : name, DeviceKind::network_switch, name, line);
        const CableEnd from{own, port(own, interface)}, to{far, port(far, text_of(member(one, "port")))};
        if (!seen_.insert(std::minmax(from, to)).second) return;
        const Json& megabits = member(one, "megabits");
        const double speed = megabits.is_number() ? megabits.get<double>() * 1e6 / 8 : 0;
        list_.cables.push_back({from, to, speed > 0 && speed < 1e13 ? speed : 0, line});
    }

    std::string file_;
    CableList list_;
    std::map<std::string, Json> lines_;  // by host
    std::map<std::string, int> line_of_host_, device_of_id_;
    std::map<int, std::map<std::string, int>> ports_;
    std::set<std::string> bridges_;  // neighbours that say so of themselves
    std::set<std::pair<CableEnd, CableEnd>> seen_;
    int failed_ = 0;
};

}  // namespace

InterfaceFacts interface_facts(const std::string& name) {
    InterfaceFacts facts;
    if (name.find('/') != std::string::npos) return facts;
    const std::string directory = "/sys/class/net/" + name;
    std::ifstream(directory + "/address") >> facts.address;
    std::ifstream(directory + "/speed") >> facts.megabits;
    return facts;
}

Expected<std::string> neighbour_line(std::string_view lldpctl_json, const std::string& host,
                                     const std::function<InterfaceFacts(const std::string&)>& facts) {
    const Json document = Json::parse(lldpctl_json, nullptr, false);
    const Json& lldp = member(document, "lldp");
    if (!lldp.is_object()) return failure("lldpctl has not printed what -f json should give");
    Json interfaces = Json::array();
    for (const Json& one : all_of(member(lldp, "interface"))) {
        for (const auto& [name, value] : one.items()) interfaces.push_back(neighbour(name, value, facts(name)));
    }
    return dumped({{"host", host}, {"interface", interfaces}});
}

std::string failure_line(const std::string& host, const std::string& reason) {
    return dumped({{"host", host}, {"error", reason}});
}

bool is_neighbour_lines(std::string_view text) {
    text = without_blanks_around(text.substr(0, text.find('\n')));
    return text.starts_with("{\"host\":") || (text.starts_with("{\"error\":") && text.find("\"host\":") != text.npos);
}

Expected<CableList> read_neighbour_lines(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto checked, checked_source(text, file));
    SourceLines lines(checked, file);
    SourceLine line;
    Reader reader(file);
    while (lines.next(line)) {
        if (without_blanks_around(line.text).empty()) continue;
        const Json json = Json::parse(line.text, nullptr, false);
        if (json.is_discarded()) return failure("the line is no JSON, or not complete", lines.line(line.number));
        RETURN_IF_ERROR(reader.add(json, line.number));
    }
    return reader.finish();
}

}  // namespace coll_topo::importing
