// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/lanes.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/single_lane.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace coll_topo {

/// A run of a plan that whoever calls it drives, while others of the same plan may be under way. Made once and used
/// again and again, so that nothing is allocated for short calls that repeat.
class Execution {
public:
    Execution() = default;
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    /// Posts the first messages. Plan and transport must live until it has ended; the buffers are copied. 0,
    /// COLL_TOPO_OUT_OF_MEMORY, or the transport's error code: then nothing is under way. `as_before`: the transport is
    /// what it was in the run before; if all else is too, that is repeated.
    int begin(const Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers,
              bool as_before = false);
    /// The same for the sizes of pieces, see exchange_piece_sizes(): they are there once it has ended without an error.
    int begin_sizes(const Plan& plan, coll_topo_transport& transport, int root, const coll_topo_cells& cells,
                    std::size_t* sizes);
    /// Once a run has ended that begin() has begun: begins the same one once more, as begin() does. Nothing is laid out
    /// again, which short calls notice.
    int repeat();
    /// Goes on as far as messages that have arrived allow, but for long reductions, after which others are to have
    /// their turn. Looks for messages that have not arrived so many times before it gives up. True once it has come to
    /// its end, or failed: no request is left.
    bool advance(int looks = 0);
    /// Once it has ended: 0, or the transport's error code.
    int error() const { return error_; }

    /// Memory of this run's caller, until the next one.
    void* temporary(std::size_t bytes) { return temporary_.reserve(bytes); }
    /// Gives memory back that short calls do not need.
    void trim();

private:
    void take(const Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers);
    int begin_lanes();
    int begin_in_single_lane();
    bool advance_lanes(int looks);

    std::uint64_t tables_of_ = 0;  // the number of the plan; none has 0
    PlanTables tables_;
    const Plan* plan_ = nullptr;
    coll_topo_transport* transport_ = nullptr;
    coll_topo_buffers buffers_{};
    std::optional<Data> data_;  // of `single_lane_`
    std::optional<SingleLaneRun> single_lane_;
    std::optional<LanesRun> lanes_;
    std::size_t* sizes_ = nullptr;  // of a run that brings sizes
    int error_ = 0;
    Workspace workspace_;
    Workspace temporary_;
};

}  // namespace coll_topo
