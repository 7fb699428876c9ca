// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/cost/shared_cable.hpp"

#include <limits>

namespace coll_topo {

// They end in the order in which they start. `work` is what each of those under way has been given, in seconds of the
// whole cable.
std::vector<double> shared_cable_ends(std::span<const double> starts, double transfer) {
    std::vector<double> work_at_end, ends;
    double now = 0, work = 0;
    const auto end_until = [&](double limit) {
        while (ends.size() < work_at_end.size()) {
            const double sharing = static_cast<double>(work_at_end.size() - ends.size());
            const double end = now + (work_at_end[ends.size()] - work) * sharing;
            if (end > limit) {
                work += (limit - now) / sharing;
                break;
            }
            work = work_at_end[ends.size()];
            ends.push_back(now = end);
        }
        now = limit;
    };
    for (const double start : starts) {
        end_until(start);
        work_at_end.push_back(work + transfer);
    }
    end_until(std::numeric_limits<double>::infinity());
    return ends;
}

}  // namespace coll_topo
