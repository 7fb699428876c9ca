// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/quantity.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace coll_topo {

namespace {

/// A unit is 10^decimal * 2^binary bytes or seconds. With exponents a value has the same bits in whatever unit it is
/// written (1000ns, 1us), and so has the digest of the fabric.
struct Unit {
    std::string_view name;
    int decimal;
    int binary;
};

constexpr Unit byte_units[] = {{"B", 0, 0},     {"kB", 3, 0},    {"MB", 6, 0},    {"GB", 9, 0},   {"TB", 12, 0},
                               {"KiB", 0, 10},  {"MiB", 0, 20},  {"GiB", 0, 30},  {"TiB", 0, 40}, {"kbit", 3, -3},
                               {"Mbit", 6, -3}, {"Gbit", 9, -3}, {"Tbit", 12, -3}};
constexpr Unit time_units[] = {{"ns", -9, 0}, {"us", -6, 0}, {"ms", -3, 0}, {"s", 0, 0}};

Expected<Unit> parse_unit(const Located& text, std::span<const Unit> units, std::string_view suffix) {
    std::string_view name = text.text;
    if (!suffix.empty() && name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    std::vector<std::string_view> names;
    for (const Unit& unit : units) {
        if (unit.name == name) return unit;
        names.push_back(unit.name);
    }
    // The case of letters tells bytes from bits and mega from milli, so a unit in the wrong case is not guessed.
    const std::string what = text.text.empty() ? "the unit is missing" : "unknown unit " + in_quotes(text.text);
    return text.error(what + "; expected " + alternatives(names));
}

/// A number without sign and exponent, and a unit.
Expected<double> parse_quantity(const Located& text, std::span<const Unit> units, std::string_view suffix,
                                std::string_view example) {
    const std::size_t size = std::min(text.text.find_first_not_of("0123456789."), text.text.size());
    std::string number(text.text.substr(0, size));
    double value = 0;
    const auto plain = std::from_chars(number.data(), number.data() + size, value);
    if (plain.ec == std::errc::invalid_argument || plain.ptr != number.data() + size) {
        return text.error("expected a number and a unit, such as " + std::string(example) + ", found " +
                          in_quotes(text.text));
    }
    ASSIGN_OR_RETURN(const auto unit, parse_unit(text.part(size), units, suffix));
    number += 'e' + std::to_string(unit.decimal);
    const auto scaled = std::from_chars(number.data(), number.data() + number.size(), value);
    value = std::ldexp(value, unit.binary);
    if (scaled.ec != std::errc() || !std::isfinite(value)) {
        return text.error("number out of range in " + in_quotes(text.text));
    }
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

Expected<std::int64_t> parse_bytes(const Located& text) {
    constexpr double limit = 0x1p62;
    constexpr std::span<const Unit> whole_byte_units = std::span(byte_units).first<9>();
    const bool has_unit = text.text.find_first_not_of("0123456789.") != std::string_view::npos;
    if (!has_unit) return parse_integer(text, 0, static_cast<std::int64_t>(limit), "the bytes");
    ASSIGN_OR_RETURN(const auto value, parse_quantity(text, whole_byte_units, "", "64KiB"));
    if (value > limit) return text.error("number out of range in " + in_quotes(text.text));
    if (value != std::floor(value)) return text.error(in_quotes(text.text) + " is no whole number of bytes");
    return static_cast<std::int64_t>(value);
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
