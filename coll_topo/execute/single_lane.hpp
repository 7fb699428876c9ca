// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/data.hpp"
#include "coll_topo/execute/plan.hpp"
#include "coll_topo/execute/staging.hpp"
#include "coll_topo/execute/transport.h"
#include "coll_topo/execute/workspace.hpp"

#include <cstddef>
#include <span>

namespace coll_topo {

/// Whether a program has one lane with one step in flight at a time.
bool is_single_lane(const Program& program);
/// Whether a step has at most one message each way, as in recursive doubling.
bool has_one_message_each_way(const Program& program);

/// Lays out the memory of a SingleLaneRun, and does what comes before its program. 0, COLL_TOPO_OUT_OF_MEMORY, or the
/// transport's error code.
int begin_single_lane(const Plan& plan, PlanTables& tables, Data& data, coll_topo_transport& transport,
                      const coll_topo_buffers& buffers, Workspace& workspace, std::byte*& staging);

/// Runs such a program step by step without cutting messages. The result is that of LanesRun, with less bookkeeping,
/// which short messages notice.
class SingleLaneRun {
public:
    /// `staging` has room for the operands received in any step, `requests` for one of each action: nullptr.
    SingleLaneRun(const Program& program, coll_topo_transport& transport, const Data& data, std::byte* staging,
                  std::span<void*> requests)
        : program_(program),
          transport_(transport),
          data_(data),
          operand_size_{operand_extent(transport), transport.scratch_tail, uncut},
          staging_(staging + transport.scratch_lead),
          requests_(requests),
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
    template <typename Takes>
    bool receives_end(Takes&& takes);
    void*& request_of(const Action& action) {
        return requests_[static_cast<std::size_t>(&action - program_.actions.data())];
    }
    bool copies_late();
    void post_messages();
    void post_sends();
    void post_send(const Action& action);
    void post_receive(const Action& action, std::byte*& operand);
    std::byte* take_operand(std::byte*& operand, std::size_t elements) const;
    bool takes(void*& request);
    void reduce(const Action& action);
    void run_local();
    void cancel();

    const Program& program_;
    coll_topo_transport& transport_;
    const Data& data_;
    const StagingSize operand_size_;
    std::byte* const staging_;
    const std::span<void*> requests_;  // by action; null: none is under way
    const Step* step_ = nullptr;
    const Step* const end_step_;
    const Step* oldest_ = nullptr;  // while sends are under way: before it, all have ended
    std::size_t late_ = 0;          // elements of the own piece still to be copied
    bool posted_ = false;           // the messages of the step; what follows holds while they are
    int error_ = 0;
    const Action* receive_ = nullptr;  // the first that has not come
    const Action* receives_end_ = nullptr;
    const Action* local_ = nullptr;  // what follows the messages, up to local_end_
    const Action* local_end_ = nullptr;
    std::byte* operand_ = nullptr;  // the next one to reduce
    bool sends_blocks_ = false;     // not only operands that lie elsewhere
    int sending_ = 0;               // sends under way
};

}  // namespace coll_topo
