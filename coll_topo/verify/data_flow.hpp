// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/verify/goal.hpp"
#include "coll_topo/verify/passage.hpp"

namespace coll_topo::verify {

/// Runs a schedule symbolically, each lane of a rank a process of its own. A step posts all its messages, a message
/// passes as Passage says, and a step is done once all its messages have passed. The next one begins only then. The
/// executor never posts later than that: it may post receives ahead, and begin a step while sends are under way, but
/// only what is independent, and in the same order between two ranks; so it ends where this run ends, with the same
/// values. Since lanes are independent, the outcome does not depend on the order in which the processes advance.
class DataFlow {
public:
    DataFlow(const Schedule& schedule, const std::vector<Memory>& memories, const Matching& matching, Goal& goal);

    /// Fails on a deadlock, on the use of a block that holds nothing, on a wrong combination, or on a wrong result.
    Expected<void> run();

private:
    using Value = Contributions::Value;

    struct StepState {
        std::int32_t lane = 0;
        std::int32_t open_messages = 0;  // of a posted step: those that have not passed
        bool posted = false;
        bool done = false;
    };
    struct StepOfRank {
        std::int32_t rank;
        std::int32_t step;
    };

    // Each gives what is wrong, or "".
    std::string post(StepOfRank at);
    std::string finish(StepOfRank at);
    std::string send(int rank, const Action& action, std::int32_t message);
    std::string receive(int rank, const Action& action, std::int32_t message);
    std::string copy_or_reduce(int rank, const Action& action);
    std::string fold(int rank, int location, Value received, Operand operand);

    std::string holds_nothing(int rank, Range range, const char* use);
    Expected<void> advance(StepOfRank at);
    Expected<void> check_progress() const;
    Expected<void> check_result() const;
    void pass(std::int32_t message);
    std::string what_holds_up(StepOfRank at) const;
    std::string cut_message(int rank, std::int32_t action) const;
    std::string place_of(StepOfRank at) const;

    const Schedule& schedule_;
    const std::vector<Memory>& memories_;
    const Matching& matching_;
    const Goal& goal_;
    Contributions& contributions_;
    Passage passage_;
    std::vector<std::vector<Value>> values_;      // by rank: of its locations
    std::vector<std::vector<Value>> in_flight_;   // by message: the values it carries
    std::vector<std::vector<StepState>> states_;  // by rank and step
    std::vector<StepOfRank> ready_;               // posted steps all of whose messages have passed
    std::vector<std::int32_t> passing_;           // messages that pass with the step being posted
};

}  // namespace coll_topo::verify
