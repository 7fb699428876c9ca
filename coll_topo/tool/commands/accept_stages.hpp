// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/report_folder.hpp"
#include "coll_topo/tool/commands/accept_options.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// Starts the measuring programs of coll-topo accept, and reads what they say.
class StageRunner {
public:
    /// None of the arguments is kept but as a reference; `folder` is null where there is no report.
    StageRunner(const AcceptOptions& options, const Fabric& fabric, const ReportFolder* folder, const Console& console);

    /// Each fails with why the stage cannot be run.
    Expected<HostStage> hosts() const;
    /// Of an interrupted run, the rounds that were done.
    Expected<MeasuredCables> cables() const;
    /// All of them once more, for the second time, or the third.
    Expected<MeasuredCables> cables_again(int time) const;
    Expected<ResultStage> results() const;

    /// What a program of coll_topo, started by the launcher, writes: kept under the name of the stage, and taken from
    /// there with --resume. `whole` says whether a text is all of it.
    using Whole = std::function<bool(const std::string&)>;
    Expected<std::string> output(const std::string& stage, const std::string& program,
                                 const std::vector<std::string>& arguments, double seconds, const Whole& whole) const;

private:
    Expected<MeasuredCables> measure_cables(const std::string& stage, const MeasuredCables* before) const;
    Expected<MeasuredCables> run_cables(const std::string& stage, const MeasuredCables* before,
                                        const std::string& leader, std::set<int>& waiting) const;
    std::string rank_hosts() const;
    std::vector<std::string> command(const std::string& program, const std::vector<std::string>& arguments) const;

    const AcceptOptions& options_;
    const Fabric& fabric_;
    const ReportFolder* folder_;
    const Console& console_;
};

}  // namespace coll_topo::tool
