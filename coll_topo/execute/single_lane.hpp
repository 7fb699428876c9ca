// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <array>
#include <cstddef>
#include <iterator>

namespace coll_topo {

/// Whether a program has one lane with at most one message each way in a step, as recursive doubling has.
bool is_single_lane(const Program& program);

/// Lays out the memory of a SingleLaneRun, and does what comes before its program. 0, COLL_TOPO_OUT_OF_MEMORY, or the
/// transport's error code.
int begin_single_lane(const Plan& plan, PlanTables& tables, Data& data, coll_topo_transport& transport,
                      const coll_topo_buffers& buffers, Workspace& workspace, std::byte*& staging);

/// Runs such a program step by step without cutting messages. The result is that of LanesRun, with less bookkeeping,
/// which short messages notice.
class SingleLaneRun {
public:
    /// `staging` has room for the operand received in any step.
    SingleLaneRun(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging)
        : program_(program),
          transport_(transport),
          data_(data),
          staging_(staging + transport.scratch_lead),
          end_step_(program.steps.data() + data.steps()) {
        restart();
    }

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
    template <typename Takes>
    bool sends_end(int but, Takes&& takes);
    void*& send_of(const Step* step) {
        return sends_[static_cast<std::size_t>(step - program_.steps.data()) % sends_.size()];
    }
    bool waits_for_send() const;
    bool copies_late();
    void post_messages();
    void post_receive(const Action& action);
    void post_send(const Action& action);
    bool takes(void*& request);
    void use_received();
    void cancel();

    const Program& program_;
    coll_topo_transport& transport_;
    const Data& data_;
    std::byte* const staging_;
    const Step* step_ = nullptr;
    const Step* const end_step_;
    const Step* oldest_ = nullptr;  // while sends are under way: before it, all have ended
    std::size_t late_ = 0;          // elements of the own piece still to be copied
    bool posted_ = false;           // the messages of the step; what follows holds while they are
    int error_ = 0;
    const Action* incoming_ = nullptr;  // null: nothing is received
    std::size_t received_ = 0;          // elements
    std::byte* target_ = nullptr;       // where they belong
    const Action* local_ = nullptr;     // what follows the messages, up to local_end_
    const Action* local_end_ = nullptr;
    bool sends_blocks_ = false;  // not operands that lie elsewhere
    void* receiving_ = nullptr;
    std::array<void*, most_steps_ahead + 1> sends_{};  // by step, modulo their number; null: none is under way
    int sending_ = 0;                                  // those under way
};

}  // namespace coll_topo
