// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/cable_faults.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coll_topo::tool {

/// What was measured of cables, its verdict, and all that it refers to.
class JudgedCables {
public:
    /// Measures all cables again, for the second time or a later one.
    using Again = std::function<Expected<MeasuredCables>(int time)>;

    /// Judges complete measurements. What is unlike the file may have been something else on the machines: unless
    /// `again` is empty, it is measured again until it was seen twice, or often enough, or failed twice. The fabric
    /// must outlive it.
    static Expected<std::unique_ptr<JudgedCables>> judge(MeasuredCables cables, const Fabric& fabric,
                                                         double least_share, const Again& again);

    const acceptance::CableVerdict& verdict() const { return verdict_; }
    CableReport report() const { return {fabric_, graph_, plan_, cables_, verdict_}; }

    /// Why nothing can be said although no fault was found; empty if that is not so.
    std::string left_open() const;

    /// Whether a host did not answer, or some test has no result: a job of all hosts would wait for ever.
    bool has_gaps() const;

private:
    explicit JudgedCables(const Fabric& fabric) : fabric_(fabric), graph_(fabric) {}

    const Fabric& fabric_;
    LinkGraph graph_;
    acceptance::CablePlan plan_;
    MeasuredCables cables_;
    acceptance::CableVerdict verdict_;
    std::string not_measured_again_;  ///< why, where the last attempt failed
};

}  // namespace coll_topo::tool
