// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/shortfall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace coll_topo::acceptance {

namespace {

constexpr double noisy = 2;    // what competes with others, or is short, may be off by the square of the least share
constexpr double alike = 1.1;  // latencies within this factor
constexpr double furthest = 0.02;  // smaller ratios, and no result at all, count as this

double median(std::vector<double> values) {
    if (values.empty()) return 1;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double ratio(double measured, double expected) {
    if (expected <= 0) return measured <= 0 ? 1 : 1 / furthest;
    return std::clamp(measured / expected, furthest, 1 / furthest);
}

/// How far apart two times or rates are, of which less than `noise` does not count.
double beyond(double noise, double ratio) {
    return std::max(0.0, std::abs(std::log(ratio)) - noise);
}

/// The dimension in which two neighbours differ.
int dimension_between(const Torus& torus, std::int64_t from, std::int64_t to) {
    for (int dimension = 0; dimension < static_cast<int>(torus.dimensions().size()); ++dimension) {
        if (torus.coordinate(from, dimension) != torus.coordinate(to, dimension)) return dimension;
    }
    return -1;
}

}  // namespace

std::vector<int> kinds_of_tests(const CablePlan& plan, const Fabric& file, const LinkGraph& graph) {
    std::map<std::tuple<bool, int, double>, int> numbers;
    std::vector<int> kinds;
    for (const CableTest& test : plan.tests) {
        const Link& link = graph.links()[static_cast<std::size_t>(test.links.front())];
        const bool of_host = graph.hosts_have_cables() && (link.from < graph.hosts() || link.to < graph.hosts());
        const Message& message = test.messages.front();
        const int dimension = file.torus() == nullptr || of_host
                                  ? -1
                                  : dimension_between(*file.torus(), file.cell(message.from), file.cell(message.to));
        const auto next = static_cast<int>(numbers.size());
        kinds.push_back(numbers.emplace(std::tuple(of_host, dimension, test.bandwidth), next).first->second);
    }
    return kinds;
}

Comparison::Comparison(const CablePlan& plan, const Fabric& file, const LinkGraph& graph,
                       const CableMeasurement& measured, const CableMeasurement& of_file, double least)
    : measured_(measured),
      of_file_(of_file),
      kinds_(kinds_of_tests(plan, file, graph)),
      noise_(-std::log(least)),
      known_(LinkCapacities(graph).known) {
    const std::set<int> silent(measured.silent.begin(), measured.silent.end());
    for (const LatencyTest& pair : plan.pairs) {
        pair_silent_.push_back(silent.contains(pair.there.from) || silent.contains(pair.there.to));
    }
    for (const CableTest& test : plan.tests) {
        test_silent_.push_back(std::any_of(test.messages.begin(), test.messages.end(), [&](const Message& message) {
            return silent.contains(message.from) || silent.contains(message.to);
        }));
    }
    left_out_ = {std::vector<bool>(plan.pairs.size(), false), std::vector<bool>(plan.tests.size(), false),
                 std::vector<bool>(plan.tests.size(), false)};
    distances_ = latencies_tell_distances();
}

/// Whether the longest latencies of the file are longer than the shortest by half of what it says, or all are alike.
bool Comparison::latencies_tell_distances() const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const double seconds : of_file_.latency) {
        if (seconds > 0) least = std::min(least, seconds);
        most = std::max(most, seconds);
    }
    if (most <= least * alike) return true;
    std::vector<double> near, far;
    for (std::size_t i = 0; i < of_file_.latency.size(); ++i) {
        if (pair_silent_[i] || measured_.latency[i] <= 0) continue;
        if (of_file_.latency[i] <= least * alike) near.push_back(measured_.latency[i]);
        if (of_file_.latency[i] * alike >= most) far.push_back(measured_.latency[i]);
    }
    if (near.empty() || far.empty()) return false;
    return median(std::move(far)) - median(std::move(near)) >= (most - least) / 2;
}

std::vector<int> Comparison::leave_out(const Doubts& doubts, const Shortfall& of_file) {
    for (std::size_t i = 0; i < doubts.latency.size(); ++i) {
        left_out_.latency[i] = doubts.latency[i] && of_file.latency[i] > 0;
    }
    std::vector<int> tests;
    for (std::size_t i = 0; i < doubts.alone.size(); ++i) {
        left_out_.alone[i] = doubts.alone[i] && of_file.alone[i] > 0;
        left_out_.together[i] = doubts.together[i] && of_file.together[i] > 0;
        if (left_out_.alone[i] || left_out_.together[i]) tests.push_back(static_cast<int>(i));
    }
    return tests;
}

std::vector<double> Comparison::usual(const CableMeasurement& expected) const {
    return medians(measured_.alone, expected.alone, left_out_.alone);
}

/// By kind of test, of the ratios.
std::vector<double> Comparison::medians(const std::vector<double>& measured, const std::vector<double>& expected,
                                        const std::vector<bool>& left_out) const {
    const int kinds = kinds_.empty() ? 0 : *std::max_element(kinds_.begin(), kinds_.end()) + 1;
    std::vector<std::vector<double>> ratios(static_cast<std::size_t>(kinds));
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (test_silent_[i] || left_out[i]) continue;
        ratios[static_cast<std::size_t>(kinds_[i])].push_back(ratio(measured[i], expected[i]));
    }
    std::vector<double> medians;
    for (std::vector<double>& own : ratios) {
        const double usual = median(std::move(own));
        medians.push_back(known_ ? std::min(usual, 1.0) : usual);  // faster than the file says is no measure for others
    }
    return medians;
}

std::vector<double> Comparison::bandwidths(const std::vector<double>& measured, const std::vector<double>& of_file,
                                           const std::vector<double>& expected, const std::vector<bool>& left_out,
                                           double noise, bool to_median, std::vector<double>* share) const {
    std::vector<double> usual = medians(measured, expected, left_out);
    std::vector<double> usual_of_file = medians(measured, of_file, left_out);
    if (!to_median) {
        std::fill(usual.begin(), usual.end(), 1);
        std::fill(usual_of_file.begin(), usual_of_file.end(), 1);
    }
    std::vector<double> far;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto kind = static_cast<std::size_t>(kinds_[i]);
        const double most = std::max(of_file[i] * usual_of_file[kind], expected[i] * usual[kind]);
        const bool counts = !test_silent_[i] && !left_out[i];
        const double found = counts ? ratio(std::min(measured[i], most), expected[i] * usual[kind]) : 1;
        far.push_back(beyond(noise, found));
        if (share != nullptr) share->push_back(found);
    }
    return far;
}

/// Beside cables, every message takes the work of two hosts: the same for all.
std::vector<double> Comparison::latencies(const std::vector<double>& expected) const {
    std::vector<double> work, work_of_file;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (pair_silent_[i] || left_out_.latency[i] || measured_.latency[i] <= 0) continue;
        work.push_back(measured_.latency[i] - expected[i]);
        work_of_file.push_back(measured_.latency[i] - of_file_.latency[i]);
    }
    const double usual = work.empty() ? 0 : std::max(0.0, median(std::move(work)));
    const double usual_of_file = work_of_file.empty() ? 0 : std::max(0.0, median(std::move(work_of_file)));
    std::vector<double> far;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool none = measured_.latency[i] <= 0;
        if (left_out_.latency[i] || (!distances_ && !none && expected[i] > 0)) {
            far.push_back(0);
            continue;
        }
        if (pair_silent_[i] || none || expected[i] <= 0) {
            far.push_back(pair_silent_[i] || none == (expected[i] <= 0) ? 0 : beyond(noisy * noise_, furthest));
            continue;
        }
        const double least = std::min(of_file_.latency[i] + usual_of_file, expected[i] + usual);
        far.push_back(beyond(noisy * noise_, ratio(std::max(measured_.latency[i], least), expected[i] + usual)));
    }
    return far;
}

Shortfall Comparison::with(const CableMeasurement& expected, bool to_median) const {
    Shortfall shortfall;
    shortfall.latency = latencies(expected.latency);
    shortfall.alone = bandwidths(measured_.alone, of_file_.alone, expected.alone, left_out_.alone, noise_, to_median,
                                 &shortfall.share);
    shortfall.together = bandwidths(measured_.together, of_file_.together, expected.together, left_out_.together,
                                    noisy * noise_, to_median, nullptr);
    for (const auto* part : {&shortfall.latency, &shortfall.alone, &shortfall.together}) {
        for (const double far : *part) shortfall.total += far;
    }
    return shortfall;
}

}  // namespace coll_topo::acceptance
