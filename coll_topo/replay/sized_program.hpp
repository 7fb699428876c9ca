// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/schedule/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coll_topo {

/// What one rank does, and with how many bytes.
struct SizedProgram {
    Program program;
    std::vector<double> bytes = {};  ///< by action: what it moves; 0: it is skipped
    std::uint64_t copied_late = 0;   ///< bytes of the rank's own piece: copies_own_piece_late()

    double bytes_of(const Action& action) const { return bytes[&action - program.actions.data()]; }
    /// Messages that it sends.
    int sends() const;
};

/// The program of `rank` of `ranks` on `bytes` of data, as MessageSizes has it.
SizedProgram sized(Collective collective, Program program, int rank, int ranks, std::uint64_t bytes);

}  // namespace coll_topo
