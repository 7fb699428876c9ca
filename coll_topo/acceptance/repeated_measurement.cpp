// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/repeated_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace coll_topo::acceptance {

namespace {

// How far the logarithms of two results may be apart: so many times the median of all, within limits.
constexpr double usual = 3, least = 0.05, most = 0.2;

/// No result is the worst one, also of times.
bool is_better(double a, double b, bool times) {
    if (a <= 0 || b <= 0) return a > b;
    return times ? a < b : a > b;
}

void add_results(std::vector<double> again, bool times, std::vector<double>& best, std::vector<double>& second) {
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (is_better(again[i], best[i], times)) std::swap(again[i], best[i]);
        if (is_better(again[i], second[i], times)) second[i] = again[i];
    }
}

std::vector<bool> seen_once(const std::vector<double>& best, const std::vector<double>& second, int measured) {
    if (measured < 2) return std::vector<bool>(best.size(), true);
    std::vector<double> apart;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (best[i] > 0 && second[i] > 0) apart.push_back(std::abs(std::log(best[i] / second[i])));
    }
    double noise = least;
    if (!apart.empty()) {
        const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
        std::nth_element(apart.begin(), middle, apart.end());
        noise = std::clamp(usual * *middle, least, most);
    }
    std::vector<bool> once;
    for (std::size_t i = 0; i < best.size(); ++i) {
        const bool both = best[i] > 0 && second[i] > 0;
        once.push_back(both ? std::abs(std::log(best[i] / second[i])) > noise : best[i] > 0);
    }
    return once;
}

}  // namespace

RepeatedMeasurement::RepeatedMeasurement(const CableMeasurement& first) : best_(first) {
    second_.latency.assign(first.latency.size(), 0);
    second_.alone.assign(first.alone.size(), 0);
    second_.together.assign(first.together.size(), 0);
}

void RepeatedMeasurement::add(const CableMeasurement& again) {
    ++times_;
    add_results(again.latency, true, best_.latency, second_.latency);
    add_results(again.alone, false, best_.alone, second_.alone);
    add_results(again.together, false, best_.together, second_.together);
    for (const int host : again.silent) {
        if (std::find(best_.silent.begin(), best_.silent.end(), host) == best_.silent.end()) {
            best_.silent.push_back(host);
        }
    }
    std::sort(best_.silent.begin(), best_.silent.end());
}

Doubts RepeatedMeasurement::doubts() const {
    return {seen_once(best_.latency, second_.latency, times_), seen_once(best_.alone, second_.alone, times_),
            seen_once(best_.together, second_.together, times_)};
}

}  // namespace coll_topo::acceptance
