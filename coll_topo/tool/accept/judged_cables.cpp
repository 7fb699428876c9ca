// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/judged_cables.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"

#include <algorithm>

namespace coll_topo::tool {

namespace {

constexpr int most_times = 4;  // that all is measured

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
    while (all.times() < most_times) {
        const auto more = again(all.times() + 1);
        const bool fits = more && more->complete() && more->hosts == judged->cables_.hosts;
        if (!fits) break;  // it was ended, or cannot be measured any more: the rest stays in doubt
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
    return counted(static_cast<long long>(verdict_.doubtful.size()), "test", "tests") +
           " gave another result each time: something else may use the hosts";
}

bool JudgedCables::has_gaps() const {
    const auto gap = [](const std::vector<double>& results) {
        return std::any_of(results.begin(), results.end(), [](double result) { return result <= 0; });
    };
    const acceptance::CableMeasurement& measured = cables_.measured;
    return !measured.silent.empty() || gap(measured.latency) || gap(measured.alone) || gap(measured.together);
}

}  // namespace coll_topo::tool
