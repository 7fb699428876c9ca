// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/limits.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/wording.hpp"

#include <charconv>
#include <system_error>

namespace coll_topo::tool {

namespace {

constexpr std::string_view any = "any";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "0.7", or "70%"; nothing if it is no number from `least` to `most`.
std::optional<double> number_of(std::string_view text, double least, double most) {
    const bool percent = !text.empty() && text.back() == '%';
    if (percent) text.remove_suffix(1);
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    if (percent) value /= 100;
    return value >= least && value <= most ? std::optional(value) : std::nullopt;
}

struct NumberLimit {
    std::string_view name;
    std::optional<double> AcceptanceLimits::*value;
    double least, most;
    std::string_view expected;
};
constexpr NumberLimit number_limits[] = {
    {"least-share", &AcceptanceLimits::least_share, 0.05, 0.99, "a share from 5% to 99%"},
    {"most-slower", &AcceptanceLimits::most_slower, 0, 10, "a share from 0% to 1000%"},
    {"prediction-factor", &AcceptanceLimits::prediction_factor, 1, 1000, "a factor from 1 to 1000"},
    {"worse-than-before", &AcceptanceLimits::worse_than_before, 0, 10, "a share from 0% to 1000%"}};

struct SwitchLimit {
    std::string_view name, on;
    bool AcceptanceLimits::*value;
};
constexpr SwitchLimit switch_limits[] = {{"hosts", "same", &AcceptanceLimits::same_hosts},
                                         {"results", "right", &AcceptanceLimits::right_results}};

constexpr std::string_view absent_hosts = "absent-hosts";

std::string names_of_limits() {
    std::vector<std::string_view> names;
    for (const SwitchLimit& limit : switch_limits) names.push_back(limit.name);
    names.push_back(absent_hosts);
    for (const NumberLimit& limit : number_limits) names.push_back(limit.name);
    return alternatives(names);
}

tl::unexpected<Error> wrong_value(std::string_view name, std::string_view expected, std::string_view value,
                                  const SourceLocation& where) {
    return failure(std::string(name) + ": expected " + std::string(expected) + ", or any; found " + in_quotes(value),
                   where);
}

}  // namespace

Expected<void> set_limit(std::string_view words, const SourceLocation& where, AcceptanceLimits& limits) {
    const auto sign = words.find('=');
    const std::string_view name = trimmed(words.substr(0, sign));
    const std::string_view value = sign == std::string_view::npos ? "" : trimmed(words.substr(sign + 1));
    for (const SwitchLimit& limit : switch_limits) {
        if (limit.name != name) continue;
        if (value != limit.on && value != any) return wrong_value(name, limit.on, value, where);
        limits.*limit.value = value == limit.on;
        return {};
    }
    for (const NumberLimit& limit : number_limits) {
        if (limit.name != name) continue;
        const auto number = number_of(value, limit.least, limit.most);
        if (!number && value != any) return wrong_value(name, limit.expected, value, where);
        limits.*limit.value = number;
        return {};
    }
    if (name == absent_hosts) {
        const auto number = number_of(value, 0, 1e6);
        if ((!number || *number != static_cast<int>(*number)) && value != any) {
            return wrong_value(name, "a number of hosts", value, where);
        }
        limits.absent_hosts = number ? std::optional(static_cast<int>(*number)) : std::nullopt;
        return {};
    }
    return failure("no condition " + in_quotes(name) + "; there are " + names_of_limits(), where);
}

Expected<void> read_limits(std::string_view text, const std::string& name, AcceptanceLimits& limits) {
    int line = 0;
    for (const std::string_view whole : split(text, '\n')) {
        ++line;
        const std::string_view words = trimmed(whole.substr(0, whole.find('#')));
        if (words.empty()) continue;
        const int column = static_cast<int>(words.data() - whole.data()) + 1;
        RETURN_IF_ERROR(set_limit(words, {name, line, column}, limits));
    }
    return {};
}

}  // namespace coll_topo::tool
