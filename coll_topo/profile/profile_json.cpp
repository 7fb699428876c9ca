// SPDX-License-Identifier: BSD-3-Clause
// Written by hand, as the component is linked with no library for it.
#include "coll_topo/profile/profile_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

namespace coll_topo {

namespace {

std::string quoted(std::string_view words) {
    std::string text = "\"";
    for (const char character : words) {
        if (character == '"' || character == '\\') text += '\\';
        if (static_cast<unsigned char>(character) < ' ') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character));
            text += escape;
        } else {
            text += character;
        }
    }
    return text + "\"";
}

/// The shortest digits that read as the same number.
std::string number(double value) {
    char digits[32];
    if (!std::isfinite(value)) return "null";
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string number(const std::optional<double>& value) {
    return value ? number(*value) : "null";
}

template <typename Values, typename Text>
std::string list(const Values& values, Text&& text_of, std::string_view separator = ",") {
    std::string text;
    for (const auto& value : values) {
        if (!text.empty()) text += separator;
        text += text_of(value);
    }
    return "[" + text + "]";
}

std::string communicator_json(const ProfileCommunicator& one) {
    const ProfileShape& shape = one.shape;
    return "\n  {\"ranks\":" + std::to_string(shape.ranks) + ",\"grid\":{\"shape\":" + quoted(shape.shape) +
           ",\"hosts\":" + std::to_string(shape.hosts) +
           ",\"least_ranks_per_host\":" + std::to_string(shape.least_ranks_per_host) +
           ",\"most_ranks_per_host\":" + std::to_string(shape.most_ranks_per_host) +
           "},\"count\":" + std::to_string(one.count) +
           ",\"members\":" + list(one.members, [](std::int32_t rank) { return std::to_string(rank); }) + "}";
}

std::string line_json(const ProfileLine& line, const std::vector<ProfileCommunicator>& communicators) {
    const ProfileKey& key = line.key;
    const auto of = std::ranges::find(communicators, key.communicator, &ProfileCommunicator::shape);
    return "\n  {\"collective\":" + quoted(call_name(key.call)) + ",\"form\":" + quoted(form_name(key.form)) +
           ",\"least_bytes\":" + std::to_string(least_bytes_of(key.size_class)) +
           ",\"most_bytes\":" + std::to_string(most_bytes_of(key.size_class)) +
           ",\"mean_bytes\":" + number(line.mean_bytes) +
           ",\"communicator\":" + std::to_string(of - communicators.begin()) +
           ",\"calls\":" + std::to_string(line.calls) + ",\"rank_calls\":" + std::to_string(line.rank_calls) +
           ",\"first_calls\":" + std::to_string(line.first_calls) + ",\"first_seconds\":" + number(line.first_seconds) +
           ",\"timed_calls\":" + std::to_string(line.timed) + ",\"run_by\":" + quoted(key.run_by) +
           ",\"passed_on\":" + (key.passed_on ? "true" : "false") + ",\"lanes\":" + std::to_string(key.lanes) +
           ",\"segments\":" + std::to_string(key.segments) + ",\"aggregators\":" + std::to_string(key.aggregators) +
           ",\"chosen\":" + (key.by_user ? "\"user\"" : "\"time\"") + ",\"total_seconds\":" + number(line.total) +
           ",\"waiting_seconds\":" + number(line.waiting) + ",\"median_seconds\":" + number(line.median) +
           ",\"transfer_seconds\":" + number(line.transfer) + ",\"predicted_seconds\":" + number(line.predicted) +
           ",\"passing_on_seconds\":" + number(line.passing) + "}";
}

}  // namespace

std::string profile_json(const ProfileReport& report) {
    const ProfileJob& job = report.job;
    return "{\n\"coll_topo_profile\": 1,\n\"mpi\": " + quoted(job.mpi) +
           ",\n\"topology_file\": " + quoted(job.topology_file) + ",\n\"network\": " + quoted(job.network) +
           ",\n\"ranks\": " + std::to_string(job.ranks) +
           ",\n\"profiled_ranks\": " + std::to_string(job.profiled_ranks) + ",\n\"seconds\": " + number(job.seconds) +
           ",\n\"clock_error_seconds\": " + number(job.clock_error) +
           ",\n\"fixed\": {\"lanes\":" + std::to_string(job.lanes) + ",\"segments\":" + std::to_string(job.segments) +
           ",\"aggregators\":" + std::to_string(job.aggregators) + "}" + ",\n\"hosts\": " + list(job.hosts, quoted) +
           ",\n\"host_of_rank\": " + list(job.host_of_rank, [](std::int32_t host) { return std::to_string(host); }) +
           ",\n\"communicators\": " + list(report.communicators, communicator_json) + ",\n\"rows\": " +
           list(report.lines, [&](const ProfileLine& line) { return line_json(line, report.communicators); }) + "\n}\n";
}

}  // namespace coll_topo
