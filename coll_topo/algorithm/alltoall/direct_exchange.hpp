// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/alltoall/leaf_order.hpp"
#include "coll_topo/algorithm/alltoall/offset_order.hpp"
#include "coll_topo/algorithm/alltoall/spine_order.hpp"
#include "coll_topo/grid/grid.hpp"
#include "coll_topo/schedule/builder.hpp"

#include <optional>

namespace coll_topo {

/// Messages of a rank to and from all others, in the order of A2AT for the network.
class DirectExchange {
public:
    /// What they carry; pieces stand in the order of ranks.
    enum class Data {
        pieces,    ///< each goes from its place in a buffer to its place in `output`
        operands,  ///< each goes to its rank, which combines it with its own one
        result,    ///< that of the rank goes to all
    };

    DirectExchange(const Grid& grid, int rank);

    /// How many messages of pieces or of a result are to be in flight: the window, or sends at once, of a lane.
    int window() const;

    /// The same of operands: as many as keep links busy, for the first ones are to come early.
    int operands_at_once() const;

    /// Writes steps: one for each piece, one for all messages of a result; operands go to up to 64 others in a step.
    void write(ProgramBuilder& builder, Data data, Buffer buffer) const;

private:
    const Grid& grid_;
    const int rank_;
    std::optional<OffsetOrder> offsets_;  // torus
    std::optional<LeafOrder> leaves_;
    std::optional<SpineOrder> spines_;  // projective plane
};

}  // namespace coll_topo
