// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/verdict.hpp"

#include "coll_topo/acceptance/shortfall.hpp"
#include "coll_topo/acceptance/suspects.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr int most_findings = 16;
constexpr double consistent = 0.7;      // share of what a fault has to do with that it must explain
constexpr double most_of_order = 0.75;  // likewise of the order of dimensions, with which all messages share cables
constexpr double left = 0.5;            // a test is not explained if more than that of its shortfall is left
constexpr double as_good = 0.98;        // of the best: another fault explains it as well

/// A fault that is tried.
struct Trial {
    Fault fault;
    Cluster cluster;
    Shortfall shortfall;
    double improvement = 0;  ///< by how much the shortfall is smaller
};

class Judge {
public:
    Judge(const CablePlan& plan, const Fabric& file, const LinkGraph& graph, const CableMeasurement& measured,
          double least, const Doubts& doubts)
        : plan_(plan),
          file_(file),
          graph_(graph),
          capacities_(graph),
          least_(least),
          cluster_(file),
          expected_(expected(plan, capacities_, cluster_)),
          of_file_(expected_),
          comparison_(plan, file, graph, measured, of_file_, least),
          shortfall_(comparison_.with(expected_)) {
        verdict_.silent = measured.silent;
        verdict_.doubtful = comparison_.leave_out(doubts, shortfall_);
        shortfall_ = comparison_.with(expected_);
    }

    CableVerdict judge() {
        const Shortfall of_file = shortfall_;
        look_for_order();
        const double whole = std::max(of_file.total, shortfall_.total);
        for (int i = 0; i < most_findings && shortfall_.total > 0; ++i) {
            if (!explain_more(whole)) break;
        }
        add_slow_kinds();
        for (std::size_t test = 0; test < plan_.tests.size(); ++test) {
            const double before = of_file.alone[test] + of_file.together[test];
            const double now = shortfall_.alone[test] + shortfall_.together[test];
            if (before > 0 && now > left * before) verdict_.not_explained.push_back(static_cast<int>(test));
        }
        const bool rewired =
            std::any_of(verdict_.findings.begin(), verdict_.findings.end(), [](const Finding& finding) {
                return finding.fault.kind == FaultKind::missing_cable ||
                       finding.fault.kind == FaultKind::swapped_hosts || finding.fault.kind == FaultKind::moved_host ||
                       finding.fault.kind == FaultKind::dimension_order;
            });
        if (rewired) verdict_.as_wired = as_wired(cluster_);
        verdict_.explained = whole > 0 ? std::clamp(1 - shortfall_.total / whole, 0.0, 1.0) : 1;
        verdict_.accepted = verdict_.findings.empty() && verdict_.slow_kinds.empty() && verdict_.silent.empty() &&
                            verdict_.not_explained.empty() && verdict_.doubtful.empty();
        return std::move(verdict_);
    }

private:
    /// With hosts in another order, all tests of a dimension may be slow alike, so that compared with their median
    /// nothing is; so it is judged by what the file says, and before all else.
    void look_for_order() {
        if (!capacities_.known) return;
        const Shortfall of_file = comparison_.with(expected_, false);
        std::optional<Trial> best;
        for (const Fault& fault : orders(file_)) {
            Trial trial{fault, cluster_, {}};
            if (!apply(fault, trial.cluster)) continue;
            trial.shortfall = comparison_.with(expected(plan_, capacities_, trial.cluster), false);
            trial.improvement = of_file.total - trial.shortfall.total;
            if (trial.improvement < most_of_order * of_file.total || of_file.total <= 0) continue;
            if (!best || trial.improvement > best->improvement) best = std::move(trial);
        }
        if (!best) return;
        verdict_.findings.push_back({best->fault, {}, best->improvement / of_file.total});
        cluster_ = std::move(best->cluster);
        expected_ = expected(plan_, capacities_, cluster_);
        shortfall_ = comparison_.with(expected_);
    }

    void add_slow_kinds() {
        const std::vector<int> kinds = kinds_of_tests(plan_, file_, graph_);
        const std::vector<double> usual = comparison_.usual(expected_);
        for (std::size_t kind = 0; kind < usual.size(); ++kind) {
            if (!capacities_.known || usual[kind] >= least_) continue;
            const auto test = std::find(kinds.begin(), kinds.end(), static_cast<int>(kind));
            verdict_.slow_kinds.push_back({static_cast<int>(test - kinds.begin()), usual[kind]});
        }
    }

    /// The shortfall of tests of which a trial expects something else than what is known so far.
    double touched(const CableMeasurement& now) const {
        const auto sum = [](const std::vector<double>& before, const std::vector<double>& after,
                            const std::vector<double>& far) {
            double total = 0;
            for (std::size_t i = 0; i < far.size(); ++i) {
                if (std::abs(before[i] - after[i]) > 1e-3 * std::max(before[i], after[i])) total += far[i];
            }
            return total;
        };
        return sum(expected_.latency, now.latency, shortfall_.latency) +
               sum(expected_.alone, now.alone, shortfall_.alone) +
               sum(expected_.together, now.together, shortfall_.together);
    }

    std::vector<Trial> trials() const {
        std::vector<Trial> good;
        for (const Fault& fault : suspects(plan_, file_, graph_, cluster_, shortfall_)) {
            Trial trial{fault, cluster_, {}};
            if (!apply(fault, trial.cluster)) continue;
            const CableMeasurement now = expected(plan_, capacities_, trial.cluster);
            trial.shortfall = comparison_.with(now);
            trial.improvement = shortfall_.total - trial.shortfall.total;
            if (trial.improvement <= 0 || trial.improvement < consistent * touched(now)) continue;
            good.push_back(std::move(trial));
        }
        return good;
    }

    bool explain_more(double whole) {
        std::vector<Trial> good = trials();
        if (good.empty()) return false;
        const auto best = std::max_element(
            good.begin(), good.end(), [](const Trial& a, const Trial& b) { return a.improvement < b.improvement; });
        Finding finding{best->fault, {}, best->improvement / whole};
        for (const Trial& trial : good) {
            if (trial.fault.same_as(best->fault) || trial.improvement < as_good * best->improvement) continue;
            finding.or_else.push_back(trial.fault);
        }
        verdict_.findings.push_back(std::move(finding));
        cluster_ = best->cluster;
        shortfall_ = best->shortfall;
        expected_ = expected(plan_, capacities_, cluster_);
        return true;
    }

    const CablePlan& plan_;
    const Fabric& file_;
    const LinkGraph& graph_;
    LinkCapacities capacities_;
    double least_;
    Cluster cluster_;  // with the faults found so far
    CableMeasurement expected_;
    CableMeasurement of_file_;
    Comparison comparison_;
    Shortfall shortfall_;
    CableVerdict verdict_;
};

}  // namespace

CableVerdict judge_cables(const CablePlan& plan, const Fabric& file, const LinkGraph& graph,
                          const CableMeasurement& measured, double least, const Doubts& doubts) {
    return Judge(plan, file, graph, measured, least, doubts).judge();
}

}  // namespace coll_topo::acceptance
