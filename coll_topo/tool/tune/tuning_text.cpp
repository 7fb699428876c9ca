// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text.hpp"
#include "coll_topo/tool/tune/comment_text.hpp"
#include "coll_topo/tool/tune/rule_text.hpp"
#include "coll_topo/tool/tune/tuning.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

std::string setting_text(const BenchSetting& setting) {
    return counted(setting.ranks, "rank", "ranks") + " on " + counted(setting.grid.hosts, "host", "hosts") + ", " +
           setting.grid.shape;
}

std::string fixed_text(const FixedSettings& fixed) {
    return settings_text(fixed.lanes, fixed.segments, fixed.aggregators);
}

std::string setting_comment(const BenchSetting& setting, const std::vector<BenchRun>& runs) {
    std::string text = "\n# ---- " + one_line(setting_text(setting)) + " ----\n";
    for (const BenchRun& run : runs) {
        if (run.setting != setting) continue;
        const std::string fixed = fixed_text(run.fixed);
        text += "# " + one_line(run.file + ": " + run.network + ", " + run.mpi) +
                (fixed.empty() ? "" : ", all of coll_topo with" + fixed) + "\n";
        text += "#     " + one_line(run.command) + "\n";
    }
    return text;
}

/// "65536: topo:bfb 10.3, topo 12.1, tuned 13.0": the fastest three, and what they are compared with. Of a rule also
/// whether it is in doubt.
std::string size_comment(const TunedSize& size, const std::string& previous, bool has_rule) {
    constexpr std::size_t most_shown = 3;
    std::vector<std::pair<double, Contender>> order;
    for (const auto& [contender, median] : size.medians) order.emplace_back(median, contender);
    std::ranges::sort(order);
    std::string text;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& [median, contender] = order[i];
        const bool compared = contender == Contender{"topo", {}} || contender.component == previous;
        if (i >= most_shown && !compared) continue;
        text += fmt::format("{}{}{} {:.1f}", text.empty() ? "" : ", ", contender.component, fixed_text(contender.fixed),
                            median);
    }
    const std::string bytes =
        size.most_bytes > size.bytes ? fmt::format("{}-{}", size.bytes, size.most_bytes) : std::to_string(size.bytes);
    text = fmt::format("#{:>11}: {}\n", bytes, one_line(text));
    const bool in_doubt = has_rule && size.least_by_time <= order.front().first;
    if (in_doubt) text += fmt::format("#             in doubt: topo also took {:.1f}\n", size.least_by_time);
    return text;
}

}  // namespace

std::string tuning_text(const Tuning& tuning, const std::vector<BenchRun>& runs, const std::string& previous) {
    std::string text = fmt::format(
        "# Rules for coll_topo, written by coll-topo tune from the measurements below; to be reviewed.\n"
        "# After a number of bytes: medians in us. Where the choice by predicted time (topo) was within {:.0f} %\n"
        "# of the fastest there is no rule; a rule is in doubt where a call of topo took no longer than the\n"
        "# fastest median. Sizes between two measured ones are parted at their geometric mean; below the\n"
        "# smallest and above the largest one no rule holds. The previous module is taken to be {}.\n",
        100 * (worth_a_rule - 1), one_line(previous));
    const BenchSetting* setting = nullptr;
    for (const TunedCollective& tuned : tuning.collectives) {
        if (setting == nullptr || *setting != tuned.setting) text += setting_comment(tuned.setting, runs);
        setting = &tuned.setting;
        for (const TunedStretch& stretch : tuned.stretches) {
            text += "\n# " + tuned.collective +
                    (tuned.undecided ? ": no rule, as none suits all sizes"
                     : stretch.rule  ? ""
                                     : ": no rule") +
                    "\n";
            for (const TunedSize& size : stretch.sizes) text += size_comment(size, previous, stretch.rule.has_value());
            if (stretch.rule) text += rule_text(*stretch.rule) + "\n";
        }
    }
    return text;
}

}  // namespace coll_topo::tool
