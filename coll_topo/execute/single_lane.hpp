// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>

namespace coll_topo {

/// Whether a program has one lane with at most one message each way in a step, as recursive doubling has.
bool is_single_lane(const Program& program);

/// Lays out the memory of a SingleLaneRun, and does what comes before its program. 0, COLL_TOPO_OUT_OF_MEMORY, or the
/// transport's error code.
int begin_single_lane(const Plan& plan, PlanTables& tables, Data& data, coll_topo_transport& transport,
                      const coll_topo_buffers& buffers, Workspace& workspace, std::byte*& staging);

/// Runs such a program step by step without cutting messages. The result is that of LanesRun, with less bookkeeping,
/// which the smallest messages notice.
class SingleLaneRun {
public:
    /// `staging` has room for the operand received in any step.
    SingleLaneRun(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging)
        : program_(program),
          transport_(transport),
          data_(data),
          staging_(staging + transport.scratch_lead),
          step_(program.steps.data()),
          end_step_(step_ + program.steps.size()) {}

    /// Goes on as far as messages that have arrived allow, and looks for others so many times before it gives up. True
    /// once it has come to its end, or failed: then no request is left.
    bool advance(int looks);
    /// Goes on to the end, and waits for messages with the transport's progress. 0, or the transport's error code.
    int run();
    /// Once it has ended: 0, or the transport's error code.
    int error() const { return error_; }
    /// From the start, once it has ended.
    void restart();

private:
    std::size_t locate(const Action& action, std::byte*& address) const;
    template <typename Takes>
    bool go_on(Takes&& takes);
    void post_messages();
    void post_send(const Action& action);
    bool takes(void*& request);
    void use_received();
    void cancel();

    const Program& program_;
    coll_topo_transport& transport_;
    const Data& data_;
    std::byte* const staging_;
    const Step* step_;
    const Step* const end_step_;
    bool posted_ = false;  // the messages of the step; what follows holds while they are
    int error_ = 0;
    const Action* incoming_ = nullptr;  // null: nothing is received
    std::size_t received_ = 0;          // elements
    std::byte* target_ = nullptr;       // where they belong
    const Action* local_ = nullptr;     // what follows the messages, up to local_end_
    const Action* local_end_ = nullptr;
    void* receiving_ = nullptr;
    void* sending_ = nullptr;
};

}  // namespace coll_topo
