// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/bench_results.hpp"

#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/output/json_number.hpp"

#include <exception>
#include <limits>
#include <stdexcept>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::json;

int count_of(const Json& object, const char* key, int least, int most = std::numeric_limits<int>::max()) {
    return static_cast<int>(whole_number(object, key, least, most));
}

BenchSetting setting_of(const Json& json) {
    const Json& grid = json.at("grid");
    const int least = count_of(grid, "least_ranks_per_host", 1);
    return {count_of(json, "ranks", 1),
            {shape_of(grid), count_of(grid, "hosts", 1), least, count_of(grid, "most_ranks_per_host", least)}};
}

FixedSettings fixed_of(const Json& json) {
    const Json& fixed = json.at("fixed");
    return {count_of(fixed, "lanes", 0, most_lanes), count_of(fixed, "segments", 0, most_forced_segments),
            count_of(fixed, "aggregators", 0)};
}

BenchCase case_of(const Json& json) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 62;  // in a file of rules
    return {json.at("collective").get<std::string>(),
            whole_number(json, "bytes", 0, most_bytes),
            json.at("component").get<std::string>(),
            json.at("median_us").get<double>(),
            json.at("served").get<bool>(),
            count_of(json, "wrong_calls", 0) == 0,
            json.at("min_us").get<double>(),
            0,
            json.value("bound_us", 0.0)};
}

}  // namespace

Expected<BenchRun> parse_bench_results(std::string_view text, const std::string& file) {
    const auto wrong = [&](const std::exception& error) {
        return failure("this is not what coll-topo-bench --format json writes: " + std::string(error.what()), {file});
    };
    try {
        const Json json = Json::parse(text);
        if (json.is_object() && json.contains("cases") && !json.contains("grid")) {
            return failure(
                "the results do not say on which grid they were measured; measure with coll_topo_topology_file set, by "
                "a coll-topo-bench of this version",
                {file});
        }
        BenchRun run{file,
                     setting_of(json),
                     fixed_of(json),
                     json.at("network").get<std::string>(),
                     json.at("mpi").get<std::string>(),
                     json.at("command").get<std::string>(),
                     {}};
        for (const Json& one : json.at("cases")) run.cases.push_back(case_of(one));
        return run;
    } catch (const Json::exception& error) {
        return wrong(error);
    } catch (const std::out_of_range& error) {
        return wrong(error);
    }
}

}  // namespace coll_topo::tool
