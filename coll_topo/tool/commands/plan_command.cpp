// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/plan/plan_json.hpp"
#include "coll_topo/tool/plan/plan_table.hpp"
#include "coll_topo/tool/plan/plan_text.hpp"
#include "coll_topo/tool/scenario/scenario.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::tool {

namespace {

struct PlanOptions {
    ScenarioOptions scenario;
    std::vector<std::string> ranks;
    std::string format = "text";
    bool routes = false;
    bool all = false;
};

/// Of all ranks, those that are shown if the user names none.
constexpr int shown_in_words = 1, shown_in_tables = 16;

/// "5" or "0-15", as first and last; nothing for what is neither.
std::optional<std::pair<int, int>> parse_range(std::string_view text) {
    std::pair<int, int> range;
    const char* const end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, range.first);
    if (result.ec != std::errc()) return {};
    range.second = range.first;
    if (result.ptr != end && *result.ptr == '-') result = std::from_chars(result.ptr + 1, end, range.second);
    if (result.ec != std::errc() || result.ptr != end) return {};
    return range;
}

Expected<std::vector<int>> wanted_ranks(const PlanOptions& options, int ranks) {
    std::set<int> wanted;
    for (const std::string& text : options.ranks) {
        const auto range = parse_range(text);
        if (!range) return failure("--rank: expected a rank or a range such as 0-15, not " + in_quotes(text));
        const auto [first, last] = *range;
        if (first < 0 || last >= ranks || last < first) {
            return failure("--rank must be from 0 to " + std::to_string(ranks - 1) + ", not " + text);
        }
        for (int rank = first; rank <= last; ++rank) wanted.insert(rank);
    }
    if (options.ranks.empty()) {
        const bool whole = options.all || options.format == "json";
        const int shown = whole ? ranks : options.format == "table" ? shown_in_tables : shown_in_words;
        for (int rank = 0; rank < std::min(ranks, shown); ++rank) wanted.insert(rank);
    }
    return std::vector<int>(wanted.begin(), wanted.end());
}

Expected<int> plan(const PlanOptions& options, const Console& console) {
    if (options.routes && options.format != "json") return failure("--routes needs --format json");
    const auto scenario = make_scenario(options.scenario);
    RETURN_IF_ERROR(scenario);
    write_notes(*scenario, console.notes);
    const auto candidate = choose(*scenario);
    RETURN_IF_ERROR(candidate);
    const auto ranks = wanted_ranks(options, scenario->grid.ranks());
    RETURN_IF_ERROR(ranks);
    const Schedule schedule = build_schedule(*scenario, *candidate);
    LinkGraph network(scenario->fabric);
    if (options.format == "table") {
        RETURN_IF_ERROR(write_plan_table(console.out, *scenario, *candidate, schedule, network, *ranks));
    } else if (options.format == "json") {
        write_plan_json(console.out, *scenario, *candidate, schedule, network, *ranks, options.routes);
    } else {
        write_plan_text(console.out, *scenario, *candidate, schedule, network, *ranks, options.all);
    }
    if (static_cast<int>(ranks->size()) < scenario->grid.ranks() && options.ranks.empty()) {
        console.out << fmt::format("\nThere are {} ranks: --rank 5 or --rank 0-15 shows others, --all all of them.\n",
                                   scenario->grid.ranks());
    }
    return exit_success;
}

}  // namespace

Command plan_command() {
    const auto options = std::make_shared<PlanOptions>();
    Command command{{"plan",
                     "Writes the schedule of a collective operation, in words, as tables or as JSON.",
                     scenario_options(options->scenario),
                     {"coll-topo plan cluster.conf --collective allreduce --bytes 1MiB --rank 0",
                      "coll-topo plan cluster.conf --collective bcast --format table"}},
                    [options](const Console& console) { return plan(*options, console); }};
    command.line.options.insert(
        command.line.options.end(),
        {{"--rank", "RANKS",
          "only what this rank does, or a range such as 0-15; may be given more than once; default: rank 0, in tables "
          "the first 16, as JSON all",
          &options->ranks},
         {"--all", "", "all ranks and steps, not only the first", &options->all},
         {"--routes", "", "with --format json: also the links that messages take", &options->routes},
         {"--format",
          "FORMAT",
          "text (default), table or json",
          &options->format,
          {.limit = command_line::OneOf{{"text", "table", "json"}}}}});
    return command;
}

}  // namespace coll_topo::tool
