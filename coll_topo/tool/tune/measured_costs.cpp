// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/measured_costs.hpp"

#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/output/json_number.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

/// The names of the values that there is one of.
constexpr std::pair<const char*, MeasuredValue MeasuredCosts::*> single_values[] = {
    {"message_time", &MeasuredCosts::message_time},       {"local_message_time", &MeasuredCosts::local_message_time},
    {"local_bandwidth", &MeasuredCosts::local_bandwidth}, {"reduce_bandwidth", &MeasuredCosts::reduce_bandwidth},
    {"copy_bandwidth", &MeasuredCosts::copy_bandwidth},   {"memory_bandwidth", &MeasuredCosts::memory_bandwidth},
    {"start_latency", &MeasuredCosts::start_latency}};

constexpr std::string_view added_later[] = {"memory_bandwidth", "local_message_time"};

/// The names of the lists of values.
constexpr std::pair<const char*, std::vector<MeasuredValue> MeasuredCosts::*> value_lists[] = {
    {"hop_latency", &MeasuredCosts::hop_latency}, {"bandwidth", &MeasuredCosts::bandwidth}};

/// Between the two values nearest to the place, in a sorted list.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Json to_json(const MeasuredValue& value) {
    if (value.trials == 0) return {{"trials", 0}};
    return {{"median", value.median},
            {"lower_quartile", value.lower_quartile},
            {"upper_quartile", value.upper_quartile},
            {"trials", value.trials}};
}

MeasuredValue from_json(const Json& json) {
    MeasuredValue value;
    value.trials = static_cast<int>(whole_number(json, "trials", 0));
    if (value.trials == 0) return {};
    value.median = json.at("median").get<double>();
    value.lower_quartile = json.at("lower_quartile").get<double>();
    value.upper_quartile = json.at("upper_quartile").get<double>();
    return value;
}

MeasuredCosts costs_of(const Json& document) {
    MeasuredCosts costs;
    costs.network = document.at("network").get<std::string>();
    costs.mpi = document.at("mpi").get<std::string>();
    costs.hosts = static_cast<int>(whole_number(document, "hosts", 0));
    for (const auto& [name, member] : single_values) {
        // Files of earlier versions of the program lack what was added since.
        const bool may_lack = std::ranges::find(added_later, name) != std::end(added_later);
        if (!may_lack || document.contains(name)) costs.*member = from_json(document.at(name));
    }
    for (const auto& [name, member] : value_lists) {
        for (const Json& value : document.at(name)) (costs.*member).push_back(from_json(value));
    }
    return costs;
}

}  // namespace

double MeasuredValue::spread() const {
    return lower_quartile > 0 ? upper_quartile / lower_quartile : std::numeric_limits<double>::infinity();
}

MeasuredValue summarise(std::vector<double> trials) {
    if (trials.empty()) return {};
    std::sort(trials.begin(), trials.end());
    return {quantile(trials, 0.5), quantile(trials, 0.25), quantile(trials, 0.75), static_cast<int>(trials.size())};
}

std::string measured_json(const MeasuredCosts& costs) {
    Json document{{"version", version}, {"network", costs.network}, {"mpi", costs.mpi}, {"hosts", costs.hosts}};
    for (const auto& [name, member] : single_values) document[name] = to_json(costs.*member);
    for (const auto& [name, member] : value_lists) {
        document[name] = Json::array();
        for (const MeasuredValue& value : costs.*member) document[name].push_back(to_json(value));
    }
    return document.dump(2) + '\n';
}

Expected<MeasuredCosts> read_measured_json(std::string_view text, const std::string& name) {
    const auto wrong = [&](const std::exception& error) {
        return failure("no measurements of coll-topo-measure: " + std::string(error.what()), {name});
    };
    try {
        const Json document = Json::parse(text);
        if (const auto found = whole_number(document, "version", 0); found != version) {
            return failure("version " + std::to_string(found) + " of measurements; expected " + std::to_string(version),
                           {name});
        }
        return costs_of(document);
    } catch (const Json::exception& error) {
        return wrong(error);
    } catch (const std::out_of_range& error) {
        return wrong(error);
    }
}

}  // namespace coll_topo::tool
