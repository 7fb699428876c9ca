// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/profile_reader.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/output/json_number.hpp"
#include "coll_topo/tool/profile/located_json.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <vector>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::json;

constexpr int most_ranks = 1 << 24;
constexpr std::int64_t most_count = std::int64_t{1} << 53;  // which a number of JSON can hold

int count_of(const Json& object, const char* key, int least, int most) {
    return static_cast<int>(whole_number(object, key, least, most));
}

std::uint64_t large_count_of(const Json& object, const char* key) {
    return static_cast<std::uint64_t>(whole_number(object, key, 0, most_count));
}

std::optional<double> seconds_of(const Json& object, const char* key) {
    const Json& member = object.at(key);
    if (member.is_null()) return std::nullopt;
    const double seconds = member.get<double>();
    if (member.is_number() && std::isfinite(seconds) && seconds >= 0) return seconds;
    throw std::out_of_range("\"" + std::string(key) + "\" must be a number, not negative, or null");
}

double number_of(const Json& object, const char* key) {
    const auto number = seconds_of(object, key);
    if (!number) throw std::out_of_range("\"" + std::string(key) + "\" must be a number, not negative");
    return *number;
}

ProfileJob job_of(const Json& json) {
    ProfileJob job;
    job.mpi = json.at("mpi").get<std::string>();
    job.topology_file = json.at("topology_file").get<std::string>();
    job.network = json.at("network").get<std::string>();
    job.ranks = count_of(json, "ranks", 1, most_ranks);
    job.profiled_ranks = count_of(json, "profiled_ranks", 1, job.ranks);
    job.seconds = number_of(json, "seconds");
    job.clock_error = number_of(json, "clock_error_seconds");
    const Json& fixed = json.at("fixed");
    job.lanes = count_of(fixed, "lanes", 0, std::numeric_limits<int>::max());
    job.segments = count_of(fixed, "segments", 0, std::numeric_limits<int>::max());
    job.aggregators = count_of(fixed, "aggregators", 0, std::numeric_limits<int>::max());
    job.hosts = json.at("hosts").get<std::vector<std::string>>();
    for (const Json& host : json.at("host_of_rank")) {
        const Json number = {{"host_of_rank", host}};
        job.host_of_rank.push_back(count_of(number, "host_of_rank", -1, static_cast<int>(job.hosts.size()) - 1));
    }
    if (static_cast<int>(job.host_of_rank.size()) != job.ranks) {
        throw std::out_of_range("\"host_of_rank\" must have a number for each rank");
    }
    return job;
}

ProfileCommunicator communicator_of(const Json& json, const ProfileJob& job) {
    const Json& grid = json.at("grid");
    ProfileCommunicator one;
    one.shape.ranks = count_of(json, "ranks", 1, most_ranks);
    one.shape.shape = shape_of(grid);
    one.shape.hosts = count_of(grid, "hosts", 1, one.shape.ranks);
    one.shape.least_ranks_per_host = count_of(grid, "least_ranks_per_host", 1, one.shape.ranks);
    one.shape.most_ranks_per_host =
        count_of(grid, "most_ranks_per_host", one.shape.least_ranks_per_host, one.shape.ranks);
    one.count = large_count_of(json, "count");
    for (const Json& rank : json.at("members")) {
        const Json number = {{"members", rank}};
        one.members.push_back(count_of(number, "members", 0, job.ranks - 1));
    }
    if (!one.members.empty() && static_cast<int>(one.members.size()) != one.shape.ranks) {
        throw std::out_of_range("\"members\" must have a number for each rank of the communicator, or none");
    }
    return one;
}

ProfileKey key_of(const Json& json, const std::vector<ProfileCommunicator>& communicators) {
    ProfileKey key;
    const auto name = json.at("collective").get<std::string>();
    const auto call = find_call(name);
    if (!call) throw std::out_of_range("\"collective\": coll_topo does not serve " + name);
    key.call = *call;
    if (json.contains("form")) {  // older files have none
        const auto form = find_form(json.at("form").get<std::string>());
        if (!form) throw std::out_of_range("\"form\" must be \"blocking\", \"nonblocking\" or \"persistent\"");
        key.form = *form;
    }
    const auto least = static_cast<std::uint64_t>(whole_number(json, "least_bytes", 0, std::int64_t{1} << 62));
    if (least != 0 && !std::has_single_bit(least)) {
        throw std::out_of_range("\"least_bytes\" must be 0 or a power of two");
    }
    key.size_class = std::bit_width(least);
    key.communicator =
        communicators.at(count_of(json, "communicator", 0, static_cast<int>(communicators.size()) - 1)).shape;
    key.run_by = json.at("run_by").get<std::string>();
    key.passed_on = json.at("passed_on").get<bool>();
    key.lanes = count_of(json, "lanes", 0, most_lanes);
    key.segments = count_of(json, "segments", 0, most_forced_segments);
    key.aggregators = count_of(json, "aggregators", 0, most_ranks);
    const auto chosen = json.at("chosen").get<std::string>();
    if (chosen != "user" && chosen != "time") throw std::out_of_range("\"chosen\" must be \"time\" or \"user\"");
    key.by_user = chosen == "user";
    return key;
}

ProfileLine line_of(const Json& json, const std::vector<ProfileCommunicator>& communicators) {
    ProfileLine line;
    line.key = key_of(json, communicators);
    line.calls = large_count_of(json, "calls");
    line.rank_calls = large_count_of(json, "rank_calls");
    line.first_calls = large_count_of(json, "first_calls");
    line.first_seconds = number_of(json, "first_seconds");
    line.timed = large_count_of(json, "timed_calls");
    line.mean_bytes = number_of(json, "mean_bytes");
    line.total = seconds_of(json, "total_seconds");
    line.waiting = seconds_of(json, "waiting_seconds");
    line.median = seconds_of(json, "median_seconds");
    line.transfer = seconds_of(json, "transfer_seconds");
    line.predicted = seconds_of(json, "predicted_seconds");
    line.passing = seconds_of(json, "passing_on_seconds");
    if (line.mean_bytes > static_cast<double>(std::int64_t{1} << 62)) {
        throw std::out_of_range("\"mean_bytes\" is too large");
    }
    return line;
}

/// The elements of an array of objects; `failed` gets the place of the one that is wrong.
template <typename Element, typename Read>
std::vector<Element> read_all(const Json& array, const std::vector<std::size_t>& places, std::size_t& failed,
                              Read&& read) {
    std::vector<Element> elements;
    for (const Json& one : array) {
        failed = elements.size() < places.size() ? places[elements.size()] : 0;
        elements.push_back(read(one));
    }
    failed = 0;
    return elements;
}

}  // namespace

bool is_profile(std::string_view text) {
    return text.find("\"coll_topo_profile\"") != std::string_view::npos;
}

Expected<ProfileReport> parse_profile(std::string_view text, const std::string& file) {
    std::size_t at = 0;
    const auto wrong = [&](const std::exception& error) {
        return failure("this is not what coll_topo_profile writes: " + std::string(error.what()),
                       location_of(text, at, file));
    };
    try {
        const auto [json, places] = parse_located(text);
        if (whole_number(json, "coll_topo_profile", 0) != 1) {
            return failure("the profile is of another version of coll_topo; record it again",
                           location_of(text, 0, file));
        }
        ProfileReport report;
        report.job = job_of(json);
        report.communicators =
            read_all<ProfileCommunicator>(json.at("communicators"), places.communicators, at,
                                          [&](const Json& one) { return communicator_of(one, report.job); });
        report.lines = read_all<ProfileLine>(json.at("rows"), places.rows, at,
                                             [&](const Json& one) { return line_of(one, report.communicators); });
        return report;
    } catch (const Json::parse_error& error) {
        at = error.byte > 0 ? error.byte - 1 : 0;
        return wrong(error);
    } catch (const Json::exception& error) {
        return wrong(error);
    } catch (const std::out_of_range& error) {
        return wrong(error);
    }
}

Expected<std::string> read_text(const std::string& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.is_open() && !stream.bad()) return text;
    return failure("cannot read the file" + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""), {file});
}

Expected<ProfileReport> read_profile(const std::string& file) {
    ASSIGN_OR_RETURN(const std::string text, read_text(file));
    return parse_profile(text, file);
}

}  // namespace coll_topo::tool
