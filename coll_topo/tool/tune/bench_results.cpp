// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/bench_results.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::json;

BenchSetting setting_of(const Json& json) {
    const Json& grid = json.at("grid");
    return {json.at("ranks").get<int>(),
            {grid.at("shape").get<std::string>(), grid.at("hosts").get<int>(),
             grid.at("least_ranks_per_host").get<int>(), grid.at("most_ranks_per_host").get<int>()}};
}

FixedSettings fixed_of(const Json& json) {
    const Json& fixed = json.at("fixed");
    return {fixed.at("lanes").get<int>(), fixed.at("segments").get<int>(), fixed.at("aggregators").get<int>()};
}

BenchCase case_of(const Json& json) {
    return {json.at("collective").get<std::string>(),
            json.at("bytes").get<std::int64_t>(),
            json.at("component").get<std::string>(),
            json.at("median_us").get<double>(),
            json.at("served").get<bool>(),
            json.at("wrong_calls").get<int>() == 0,
            json.at("min_us").get<double>()};
}

}  // namespace

Expected<BenchRun> parse_bench_results(std::string_view text, const std::string& file) {
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
        return failure("this is not what coll-topo-bench --format json writes: " + std::string(error.what()), {file});
    }
}

Expected<BenchRun> read_bench_results(const std::string& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad()) {
        return failure("cannot read the results" + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""),
                       {file});
    }
    return parse_bench_results(text, file);
}

}  // namespace coll_topo::tool
