// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/quantity.hpp"

#include "coll_topo/input/wording.hpp"

#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace coll_topo {

namespace {

struct Unit {
    std::string_view name;
    double factor;  // what one of it is in bytes or seconds
};

constexpr Unit byte_units[] = {{"B", 1},
                               {"kB", 1e3},
                               {"MB", 1e6},
                               {"GB", 1e9},
                               {"TB", 1e12},
                               {"KiB", 1024},
                               {"MiB", 1024. * 1024},
                               {"GiB", 1024. * 1024 * 1024},
                               {"TiB", 1024. * 1024 * 1024 * 1024},
                               {"kbit", 1e3 / 8},
                               {"Mbit", 1e6 / 8},
                               {"Gbit", 1e9 / 8},
                               {"Tbit", 1e12 / 8}};
constexpr Unit time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

struct Quantity {
    double number;
    Located unit;
};

Expected<Quantity> parse_number(const Located& text, std::string_view example) {
    double number = 0;
    const char* const begin = text.text.data();
    const char* const end = begin + text.text.size();
    // No exponents: what follows the digits is the unit.
    const auto [rest, error] = std::from_chars(begin, end, number, std::chars_format::fixed);
    if (error == std::errc::result_out_of_range) return text.error("number out of range in " + in_quotes(text.text));
    if (error != std::errc() || !std::isfinite(number) || number < 0 || *begin == '-') {
        return text.error("expected a number and a unit, such as " + std::string(example) + ", found " +
                          in_quotes(text.text));
    }
    return Quantity{number, text.part(rest - begin)};
}

Expected<double> factor_of(const Located& unit, std::span<const Unit> units, std::string_view suffix) {
    std::string_view name = unit.text;
    if (!suffix.empty() && name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    std::vector<std::string_view> names;
    for (const Unit& candidate : units) {
        if (candidate.name == name) return candidate.factor;
        names.push_back(candidate.name);
    }
    // The case of letters tells bytes from bits and mega from milli, so a unit in the wrong case is not guessed.
    const std::string what = unit.text.empty() ? "the unit is missing" : "unknown unit " + in_quotes(unit.text);
    return unit.error(what + "; expected " + alternatives(names));
}

Expected<double> parse_quantity(const Located& text, std::span<const Unit> units, std::string_view suffix,
                                std::string_view example) {
    const auto quantity = parse_number(text, example);
    if (!quantity) return tl::unexpected<Error>(quantity.error());
    const auto factor = factor_of(quantity->unit, units, suffix);
    if (!factor) return factor;
    const double value = quantity->number * *factor;
    if (!std::isfinite(value)) return text.error("number out of range in " + in_quotes(text.text));
    return value;
}

}  // namespace

Expected<double> parse_bandwidth(const Located& text) {
    const auto value = parse_quantity(text, byte_units, "/s", "25GB/s");
    if (value && *value <= 0) return text.error("a bandwidth must be more than 0");
    return value;
}

Expected<double> parse_latency(const Located& text) {
    return parse_quantity(text, time_units, "", "0.5us");
}

Expected<std::int64_t> parse_integer(const Located& text, std::int64_t least, std::int64_t most,
                                     std::string_view what) {
    std::int64_t value = 0;
    const char* const end = text.text.data() + text.text.size();
    const auto [rest, error] = std::from_chars(text.text.data(), end, value);
    const bool too_large = error == std::errc::result_out_of_range && rest == end;
    if (too_large || (error == std::errc() && rest == end && (value < least || value > most))) {
        return text.error(std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
                          ", not " + in_quotes(text.text));
    }
    if (error != std::errc() || rest != end) {
        return text.error("expected a whole number for " + std::string(what) + ", found " + in_quotes(text.text));
    }
    return value;
}

}  // namespace coll_topo
