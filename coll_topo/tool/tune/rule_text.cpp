// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/rule_text.hpp"

namespace coll_topo::tool {

namespace {

/// In the largest unit of which it is a whole multiple.
std::string bytes_text(std::int64_t bytes) {
    constexpr const char* units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes > 0 && bytes % 1024 == 0 && unit < 4; ++unit) bytes /= 1024;
    return std::to_string(bytes) + units[unit];
}

std::string number_text(std::int64_t number) {
    return std::to_string(number);
}

std::string range_text(const Range& range, std::string (*text)(std::int64_t)) {
    const bool from = range.least > 0, to = range.most < Range().most;
    if (from && range.least == range.most) return text(range.least);
    if (!from && !to) return {};
    return (from ? text(range.least) : "") + "-" + (to ? text(range.most) : "");
}

std::string pair_text(const char* key, const std::string& value) {
    return value.empty() ? "" : std::string(" ") + key + "=" + value;
}

std::string pair_text(const char* key, int value) {
    return value == 0 ? "" : pair_text(key, std::to_string(value));
}

}  // namespace

std::string bytes_range_text(const Range& range) {
    return range_text(range, bytes_text);
}

std::string range_text(const Range& range) {
    return range_text(range, number_text);
}

std::string settings_text(int lanes, int segments, int aggregators) {
    return pair_text("Lanes", lanes) + pair_text("Segments", segments) + pair_text("Aggregators", aggregators);
}

std::string rule_text(const Rule& rule) {
    return "Rule" + pair_text("Collective", std::string(call_name(rule.call))) +
           pair_text("Bytes", bytes_range_text(rule.bytes)) + pair_text("Ranks", range_text(rule.ranks)) +
           pair_text("Hosts", range_text(rule.hosts)) + pair_text("RanksPerHost", range_text(rule.ranks_per_host)) +
           pair_text("Shape", rule.shape) + pair_text("Algorithm", std::string(rule.choice_name())) +
           settings_text(rule.lanes, rule.segments, rule.aggregators);
}

}  // namespace coll_topo::tool
