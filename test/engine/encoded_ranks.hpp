// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"
#include "coll_topo/engine/encoded_reduction.hpp"
#include "test/execute/in_process_transport.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace coll_topo::test {

using Values = std::vector<double>;

/// A row of the catalogue that serves allreduce on this grid.
const Algorithm& any_allreduce(const Grid& grid);

/// All ranks of a communicator as threads, running reductions of doubles whose operands are encoded.
class EncodedRanks {
public:
    EncodedRanks(const Grid& grid, const Algorithm& algorithm, const Problem& problem, std::size_t segment_bytes);

    int size() const { return static_cast<int>(ranks_.size()); }

    /// The result of each rank, in place; empty if it gets none.
    std::vector<Values> run(int reproducible, int operation, const std::vector<Values>& operands);
    /// Lets a rank's n-th post or test fail in the next run. All ranks must end, with their codes, and leave no
    /// request.
    void fail_at(int rank, int nth) {
        ranks_[rank]->transport.fail_at(nth);
        failing_ = rank;
    }
    /// What `rank` is to get of the result of all elements.
    Values part(const Values& all, int rank) const;
    /// By all ranks, so far.
    std::size_t bytes_sent() const;

private:
    struct Rank {
        Rank(Plan plan_, Plan allreduce_, InProcessTransport transport_)
            : plan(std::move(plan_)), allreduce(std::move(allreduce_)), transport(std::move(transport_)) {}
        Plan plan, allreduce;
        InProcessTransport transport;
        EncodedMemory memory;
        Workspace workspace;
    };

    bool scatters() const;
    /// Elements of each rank's piece. They differ in size where they may.
    std::vector<int> pieces(std::size_t elements) const;
    Values run(int rank, int reproducible, int operation, const Values& operands);

    const Problem problem_;
    MessageBoard board_;
    int failing_ = -1;  // rank
    std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace coll_topo::test
