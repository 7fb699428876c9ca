// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/calibration.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

std::string shown(double value, bool is_time) {
    return is_time ? duration_text(value) : bandwidth_text(value);
}

/// A value that stays, with all its digits.
std::string unchanged(double value, bool is_time) {
    return is_time ? fmt::format("{:.10g}ns", value * 1e9) : fmt::format("{:.15g}B/s", value);
}

MeasuredValue half(MeasuredValue value) {
    for (double* const part : {&value.median, &value.lower_quartile, &value.upper_quartile}) *part /= 2;
    return value;
}

std::string why_kept(const MeasuredValue& value, double most_spread) {
    if (value.trials == 0) return "not measured";
    if (value.median <= 0) return "not distinguishable from 0";
    if (value.spread() > most_spread) return "trials disagree";
    return {};
}

class Comparison {
public:
    Comparison(const MeasuredCosts& costs, double most_spread) : costs_(costs), most_spread_(most_spread) {}

    /// A key with one value.
    void compare(StatementKind kind, std::string_view key, const std::string& name, double before,
                 const MeasuredValue& measured, bool is_time) {
        if (note(name, before, measured, is_time)) result_.edits.push_back({kind, key, result_.values.back().after()});
    }

    /// A key with a value for each dimension of a torus. A dimension of size 1 has no cables.
    template <typename Measured>
    void compare_dimensions(std::string_view key, const Torus& torus, double TorusDimension::*member,
                            const Measured& measured_of) {
        const bool is_time = key == "Latency";
        std::vector<std::string> texts;
        bool changed = false;
        for (std::size_t d = 0; d < torus.dimensions().size(); ++d) {
            const double before = torus.dimensions()[d].*member;
            const std::string name = fmt::format("{} of dimension {}", key, d + 1);
            const bool exists = torus.dimensions()[d].size > 1;
            const bool taken = exists && note(name, before, measured_of(d), is_time);
            texts.push_back(taken ? result_.values.back().after() : unchanged(before, is_time));
            changed = changed || taken;
        }
        if (changed) result_.edits.push_back({StatementKind::torus_name, key, joined(texts)});
    }

    const MeasuredCosts& costs() const { return costs_; }
    Calibration take() { return std::move(result_); }

private:
    /// Whether the measured value is to be written.
    bool note(const std::string& name, double before, const MeasuredValue& measured, bool is_time) {
        result_.values.push_back({name, shown(before, is_time), measured, is_time, why_kept(measured, most_spread_)});
        return result_.values.back().kept_for.empty();
    }

    static std::string joined(const std::vector<std::string>& texts) {
        const bool equal = std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return text == texts[0]; });
        return equal ? texts[0] : fmt::format("{}", fmt::join(texts, ","));
    }

    const MeasuredCosts& costs_;
    double most_spread_;
    Calibration result_;
};

/// The value of a list, or one that was not measured.
MeasuredValue at(const std::vector<MeasuredValue>& values, std::size_t index) {
    return index < values.size() ? values[index] : MeasuredValue{};
}

/// A message passes the cables of two hosts.
void compare_host_latency(const Fabric& fabric, Comparison& comparison) {
    comparison.compare(StatementKind::host_link, "Latency", "Latency of HostLink", fabric.host_latency,
                       half(comparison.costs().start_latency), true);
}

void compare_torus(const Fabric& fabric, const Torus& torus, Comparison& comparison) {
    const MeasuredCosts& costs = comparison.costs();
    comparison.compare_dimensions("Bandwidth", torus, &TorusDimension::bandwidth,
                                  [&](std::size_t d) { return at(costs.bandwidth, d); });
    comparison.compare_dimensions("Latency", torus, &TorusDimension::latency,
                                  [&](std::size_t d) { return at(costs.hop_latency, d); });
    compare_host_latency(fabric, comparison);
}

/// Of cables between switches, the latency can be written where one statement has them all.
void compare_switches(const Fabric& fabric, const SwitchGraph& graph, const std::map<StatementKind, int>& statements,
                      Comparison& comparison) {
    const MeasuredCosts& costs = comparison.costs();
    comparison.compare(StatementKind::host_link, "Bandwidth", "Bandwidth of HostLink", fabric.host_bandwidth,
                       at(costs.bandwidth, 0), false);
    compare_host_latency(fabric, comparison);
    for (const StatementKind kind :
         {StatementKind::link, StatementKind::latin_square_name, StatementKind::full_mesh_name}) {
        const auto found = statements.find(kind);
        if (found == statements.end() || found->second != 1) continue;
        comparison.compare(kind, "Latency", "Latency between switches", graph.links.front().latency,
                           at(costs.hop_latency, 0), true);
    }
}

}  // namespace

std::string CalibratedValue::after() const {
    return is_time ? latency_value(measured.median) : bandwidth_value(measured.median);
}

Calibration calibrate(const Fabric& fabric, const std::map<StatementKind, int>& statements, const MeasuredCosts& costs,
                      double most_spread) {
    Comparison comparison(costs, most_spread);
    if (const Torus* const torus = fabric.torus()) {
        compare_torus(fabric, *torus, comparison);
    } else {
        compare_switches(fabric, std::get<SwitchGraph>(fabric.network), statements, comparison);
    }
    constexpr auto machine = StatementKind::machine;
    const MachineCosts& before = fabric.costs;
    comparison.compare(machine, "MessageTime", "MessageTime", before.message_time, costs.message_time, true);
    comparison.compare(machine, "LocalMessageTime", "LocalMessageTime", before.local_message(),
                       costs.local_message_time, true);
    comparison.compare(machine, "LocalBandwidth", "LocalBandwidth", before.local_bandwidth, costs.local_bandwidth,
                       false);
    comparison.compare(machine, "ReduceBandwidth", "ReduceBandwidth", before.reduce_bandwidth, costs.reduce_bandwidth,
                       false);
    comparison.compare(machine, "CopyBandwidth", "CopyBandwidth", before.copy_bandwidth, costs.copy_bandwidth, false);
    comparison.compare(machine, "MemoryBandwidth", "MemoryBandwidth", before.memory_bandwidth, costs.memory_bandwidth,
                       false);
    return comparison.take();
}

}  // namespace coll_topo::tool
