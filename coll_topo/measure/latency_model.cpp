// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/measure/latency_model.hpp"

#include "coll_topo/measure/least_squares.hpp"

#include <algorithm>

namespace coll_topo::bench {

namespace {

/// The kinds of cables that some probe crosses.
std::vector<std::size_t> used_kinds(const std::vector<LatencyProbe>& probes) {
    std::vector<std::size_t> used;
    for (std::size_t kind = 0; kind < probes.front().hops.size(); ++kind) {
        if (std::any_of(probes.begin(), probes.end(), [&](const auto& probe) { return probe.hops[kind] > 0; })) {
            used.push_back(kind);
        }
    }
    return used;
}

std::vector<std::vector<double>> factors(const std::vector<LatencyProbe>& probes, bool start,
                                         const std::vector<std::size_t>& kinds) {
    std::vector<std::vector<double>> rows;
    for (const LatencyProbe& probe : probes) {
        std::vector<double>& row = rows.emplace_back();
        if (start) row.push_back(1);
        for (const std::size_t kind : kinds) row.push_back(probe.hops[kind]);
    }
    return rows;
}

}  // namespace

LatencyModel fit_latencies(const std::vector<LatencyProbe>& probes, const std::vector<double>& seconds,
                           double message_time, bool includes_start) {
    LatencyModel model;
    if (probes.empty()) return model;
    std::vector<double> rest;
    for (const double value : seconds) rest.push_back(value - message_time);
    std::vector<std::size_t> kinds = used_kinds(probes);
    bool start = true;
    auto solution = least_squares(factors(probes, start, kinds), rest);
    if (!solution) {
        start = !includes_start;
        if (start) kinds.clear();
        solution = least_squares(factors(probes, start, kinds), rest);
    }
    model.hop.resize(probes.front().hops.size());
    if (!solution) return model;
    if (start) model.start = solution->front();
    for (std::size_t i = 0; i < kinds.size(); ++i) model.hop[kinds[i]] = (*solution)[i + (start ? 1 : 0)];
    return model;
}

}  // namespace coll_topo::bench
