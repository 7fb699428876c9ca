// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/measure/matrix_values.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::bench {

/// One call of a collective, equal on all ranks.
struct MatrixCall {
    std::string_view collective;
    const MatrixPair* pair;
    int count;  ///< elements of the vector, or of each piece
    int root = 0;
    bool in_place = false;

    std::string text() const;  ///< "sum of double, 17 elements, in place"
};

bool reduces(std::string_view collective);

/// What one rank has after a call: its receive buffer and all around it.
struct MatrixOutcome {
    int status = 0;  ///< MPI_SUCCESS or another
    std::vector<unsigned char> received;
    bool operands_untouched = true;  ///< the send buffer is as it was
    bool guards_untouched = true;    ///< nothing was written beside the receive buffer
};

/// Collective over the communicator, a Cartesian one for calls to neighbours.
MatrixOutcome run_call(const MatrixCall& call, MPI_Comm communicator);

}  // namespace coll_topo::bench
