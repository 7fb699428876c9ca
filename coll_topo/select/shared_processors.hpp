// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/algorithm/catalogue.hpp"

namespace coll_topo {

/// What a schedule costs the processors that all hosts share, as the file says (Machine SharedMessageTime=): hosts that
/// are containers on one computer. There the number of all messages counts, and not only that of one rank.
class SharedProcessors {
public:
    /// Counts the messages of a row, which must serve the problem, with one segment and with two. Where nothing is
    /// shared it looks at no schedule.
    SharedProcessors(const Algorithm& algorithm, const Grid& grid, const Problem& problem);

    /// For all messages of all ranks, with so many segments.
    double seconds(int segments) const { return segments == 1 ? one_segment_ : segments * each_of_more_; }

private:
    double one_segment_ = 0;
    double each_of_more_ = 0;  ///< one segment may go another way
};

/// Of a row that serves the problem: by its own formula, and for what all hosts share.
double predicted_seconds(const Algorithm& algorithm, const Grid& grid, const Problem& problem, double bytes);

}  // namespace coll_topo
