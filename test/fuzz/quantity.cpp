// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/quantity.hpp"

#include "test/fuzz/readers.hpp"

#include "coll_topo/bench/sizes.hpp"
#include "coll_topo/tool/tune/topology_edit.hpp"

#include <cmath>
#include <cstdint>

namespace coll_topo::fuzz {

namespace {

/// Reads a value again from its text, which has three significant digits.
std::string lost(double value, const std::string& text, Expected<double> (*parse)(const Located&)) {
    const auto again = parse(Located{text});
    if (!again) return std::to_string(value) + " cannot be read again: " + again.error().message;
    return std::abs(*again - value) <= 0.006 * value ? "" : std::to_string(value) + " is another one again: " + text;
}

std::string complaint_about_bytes(const Expected<std::int64_t>& bytes) {
    if (!bytes) return bytes.error().message.empty() ? "an error without a message" : "";
    if (*bytes < 0 || *bytes > std::int64_t{1} << 62) return "bytes out of range: " + std::to_string(*bytes);
    const auto again = parse_bytes(Located{std::to_string(*bytes)});
    return again && *again == *bytes ? "" : "other bytes when they are read again: " + std::to_string(*bytes);
}

}  // namespace

std::string quantity_complaint(std::string_view bytes) {
    constexpr double least_bandwidth = 0.01, least_latency = 1e-11;  // that edits of a file can write
    const auto bandwidth = parse_bandwidth(Located{bytes});
    if (bandwidth && !(std::isfinite(*bandwidth) && *bandwidth > 0)) return "a bandwidth that is none";
    if (bandwidth && *bandwidth >= least_bandwidth) {
        std::string wrong = lost(*bandwidth, tool::bandwidth_value(*bandwidth), parse_bandwidth);
        if (!wrong.empty()) return wrong;
    }
    const auto latency = parse_latency(Located{bytes});
    if (latency && !(std::isfinite(*latency) && *latency >= 0)) return "a latency that is none";
    if (latency && *latency >= least_latency) {
        std::string wrong = lost(*latency, tool::latency_value(*latency), parse_latency);
        if (!wrong.empty()) return wrong;
    }
    const auto sizes = bench::parse_sizes(bytes);
    if (sizes && sizes->empty()) return "no sizes";
    if (!sizes && sizes.error().message.empty()) return "an error without a message";
    return complaint_about_bytes(parse_bytes(Located{bytes}));
}

}  // namespace coll_topo::fuzz
