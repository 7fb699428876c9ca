// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/segments.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transfer.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// One run of any plan: all lanes progress together; where the program allows it, receives are posted some steps ahead
/// and the next step begins while sends are under way; long messages are cut into segments that are reduced while the
/// next ones arrive.
class LanesRun {
public:
    /// All that is given must outlive this. `tables` and the memory of `begin` are this run's alone as long as it
    /// lasts.
    LanesRun(const Plan& plan, PlanTables& tables, coll_topo_transport& transport, const coll_topo_buffers& buffers)
        : plan_(plan),
          tables_(tables),
          program_(plan.program),
          transport_(transport),
          buffers_(buffers),
          data_(plan, tables, transport, buffers),
          segments_(transport, data_, plan.segment_bytes),
          steps_at_once_(plan.steps_at_once) {}
    LanesRun(const LanesRun&) = delete;  // its parts refer to each other
    LanesRun& operator=(const LanesRun&) = delete;

    /// Does what needs no message. 0, COLL_TOPO_OUT_OF_MEMORY, or the transport's error code.
    int begin(Workspace& workspace);
    /// Looks at every lane once, or until much has been reduced, and starts what may begin; if nothing happens, copies
    /// a share of what may be copied late. True if anything happened.
    bool look_around();
    bool ended() const { return unfinished_ == 0 || error() != 0; }
    /// To be called once it has ended: no request is left. 0, or the transport's error code.
    int end();

    /// All of these, waiting for messages with the transport's progress. As begin() and end().
    int run(Workspace& workspace);

    const Data& data() const { return data_; }

    /// Bytes reduced so far.
    std::size_t reduced_bytes() const { return segments_.reduced() * transport_.element_bytes; }

private:
    /// Steps of a lane, numbered within the program: begin <= oldest <= current <= started <= prepared <= end, and no
    /// more than steps_at_once from oldest to prepared.
    struct Progress {
        std::int32_t oldest;    // before it, all messages are done
        std::int32_t current;   // before it, all is done but for sends under way
        std::int32_t started;   // before it, all messages are posted
        std::int32_t prepared;  // before it, the receives are posted
    };

    StepState& state(int lane, int step) { return states_[lane * steps_at_once_ + step % steps_at_once_]; }
    bool lane_ended(int lane) const { return progress_[lane].oldest == program_.lanes[lane].end_step; }
    int error() const { return segments_.error(); }

    int take_memory(Workspace& workspace);
    bool reduced_long();
    void run_local_steps(int lane);
    void begin_at(int lane, std::int32_t step) { progress_[lane] = {step, step, step, step}; }
    void copy_late();
    bool advance(int lane);
    void close_steps(int lane);
    bool may_start(int lane);
    void start(int lane);
    bool post_sends_in_turn(StepState& now, int lane);
    bool may_prepare(int lane);
    void prepare(int lane, int step);
    bool look_at(int lane, int step);
    bool wait_in_turn(StepState& now);
    void run_local(int step);

    const Plan& plan_;
    PlanTables& tables_;
    const Program& program_;
    coll_topo_transport& transport_;
    const coll_topo_buffers& buffers_;
    Data data_;
    Segments segments_;
    const std::int32_t steps_at_once_;
    int unfinished_ = 0;                      // lanes, and the late copy
    std::size_t reduced_before_ = 0;          // bytes, when reduced_long() last was so
    std::size_t late_ = 0, copied_late_ = 0;  // elements of the own piece
    StagingSize staging_size_{};
    Progress* progress_ = nullptr;  // by lane
    StepState* states_ = nullptr;   // by lane and step, these modulo steps_at_once_
    std::byte* staging_ = nullptr;
};

/// Runs a plan to its end.
int execute_lanes(Plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers, Workspace& workspace);

}  // namespace coll_topo
