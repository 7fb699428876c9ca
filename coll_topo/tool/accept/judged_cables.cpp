// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/judged_cables.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"

#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr int most_times = 4;  // that all is measured
constexpr int most_failed = 2;

/// Why a measurement is not of the same hosts and tests as the first; empty if it is.
std::string why_unfit(const Expected<MeasuredCables>& more, const MeasuredCables& first) {
    if (!more) return more.error().text();
    if (!more->complete()) return "it was not measured to the end";
    return more->hosts == first.hosts ? "" : "other hosts were measured";
}

}  // namespace

Expected<std::unique_ptr<JudgedCables>> JudgedCables::judge(MeasuredCables cables, const Fabric& fabric,
                                                            double least_share, const Again& again) {
    std::unique_ptr<JudgedCables> judged(new JudgedCables(fabric));
    judged->cables_ = std::move(cables);
    ASSIGN_OR_RETURN(judged->plan_, measured_plan(judged->cables_, fabric, judged->graph_));
    acceptance::RepeatedMeasurement all(judged->cables_.measured);
    const auto judge = [&](const acceptance::Doubts& doubts) {
        judged->cables_.measured = all.best();
        judged->verdict_ = acceptance::judge_cables(judged->plan_, fabric, judged->graph_, judged->cables_.measured,
                                                    least_share, doubts);
    };
    judge({});
    if (!again || judged->verdict_.accepted) return judged;
    // Another job might run where that host does not hang any more: what else is unlike the file stays in doubt.
    if (!judged->verdict_.silent.empty()) judge(all.doubts());
    if (!judged->verdict_.silent.empty()) return judged;
    int failed = 0;
    while (all.times() < most_times && failed < most_failed) {
        const auto more = again(all.times() + failed + 1);
        judged->not_measured_again_ = why_unfit(more, judged->cables_);
        if (!judged->not_measured_again_.empty()) {
            ++failed;
            continue;
        }
        all.add(more->measured);
        judge(all.doubts());
        if (judged->verdict_.doubtful.empty() || !judged->verdict_.silent.empty()) return judged;
    }
    judge(all.doubts());
    return judged;
}

std::string JudgedCables::left_open() const {
    const bool found = !verdict_.findings.empty() || !verdict_.slow_kinds.empty() || !verdict_.silent.empty() ||
                       !verdict_.not_explained.empty();
    if (found || verdict_.doubtful.empty()) return "";
    const std::string tests = counted(static_cast<long long>(verdict_.doubtful.size()), "test", "tests");
    if (!not_measured_again_.empty()) {
        return tests + " unlike the file, which could not be measured again: " + not_measured_again_;
    }
    return tests + " gave another result each time: something else may use the hosts";
}

bool JudgedCables::has_gaps() const {
    const auto gap = [](const std::vector<double>& results) {
        return std::any_of(results.begin(), results.end(), [](double result) { return result <= 0; });
    };
    const acceptance::CableMeasurement& measured = cables_.measured;
    return !measured.silent.empty() || gap(measured.latency) || gap(measured.alone) || gap(measured.together);
}

}  // namespace coll_topo::tool
