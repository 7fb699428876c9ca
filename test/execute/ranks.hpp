// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/execution.hpp"
#include "coll_topo/execute/executor.hpp"
#include "coll_topo/verify/proof.hpp"
#include "test/execute/in_process_transport.hpp"
#include "test/execute/rank_threads.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace coll_topo::test {

/// x -> a·x + b modulo 2^32; composition is associative and does not commute, that of x + b does.
struct Affine {
    std::uint32_t a, b;
    bool operator==(const Affine&) const = default;
};

/// What a rank contributes to an element of the vector.
Affine contribution(int rank, std::size_t element);
/// What it contributes to elements 0 .. elements-1.
std::vector<Affine> contributions(int rank, std::size_t elements);

/// All ranks of a communicator as threads, running one schedule.
class Ranks {
public:
    /// `commutative`: contributions are added up; else they are composed.
    /// `cartesian`: see prove().
    Ranks(Collective collective, Schedule schedule, bool commutative, std::size_t segment_bytes,
          const Cartesian* cartesian = nullptr);

    int size() const { return static_cast<int>(plans_.size()); }
    Collective collective() const { return plans_[0]->collective; }
    const Cartesian* cartesian() const { return cartesian_; }

    /// Calls body(rank) for all ranks at once.
    template <typename Body>
    void each(Body body) {
        run_ranks(size(), body);
    }
    /// In turn to its end at once and as a run that is driven step by step, other ranks the other way: no rank can
    /// tell.
    int run(int rank, const coll_topo_buffers& buffers);
    InProcessTransport& transport(int rank) { return *transports_[rank]; }

    /// What the collective makes of the contributions of all ranks.
    Affine combined(std::size_t element) const { return combined(element, size()); }
    /// What ranks [0, end) give, one at least.
    Affine combined(std::size_t element, int end) const;

private:
    const bool commutative_;
    const Cartesian* const cartesian_;
    MessageBoard board_;
    std::vector<std::unique_ptr<Plan>> plans_;
    std::vector<std::unique_ptr<InProcessTransport>> transports_;
    std::vector<std::unique_ptr<Workspace>> workspaces_;
    std::vector<std::unique_ptr<Execution>> executions_;
    std::vector<int> turns_;  // by rank
};

/// Runs the collective on vectors of so many elements (those with a piece for each rank: pieces) and checks what every
/// rank gets.
void run_and_check(Ranks& ranks, int root, std::size_t elements);

}  // namespace coll_topo::test
