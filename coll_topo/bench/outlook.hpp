// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coll_topo::bench {

/// Which components are worth calling at the next, larger size. From the times at the last two sizes each component's
/// time is extrapolated along a line: so one that is slow only with small messages is not given up.
class Outlook {
public:
    /// One is given up if it is expected to take more than `factor` times as long as the fastest of its family, by
    /// which all are named here: the best of each stays to be compared with.
    Outlook(const std::vector<std::string>& families, double factor) : factor_(factor) {
        for (const std::string& family : families) seen_.push_back({family, {}, {}});
    }

    /// The times, in seconds, of all components that are left at a size, and which of them did the work themselves.
    void note(double bytes, const std::vector<double>& seconds, const std::vector<bool>& served);

    /// For each component that is left, whether it is worth calling: not if another did its work at the last two
    /// sizes; at one, it may have been too small. Times count once there are two smaller sizes.
    std::vector<bool> worthwhile(double bytes) const;

    /// Forgets a component.
    void drop(std::size_t component) { seen_.erase(seen_.begin() + static_cast<std::ptrdiff_t>(component)); }

private:
    struct Point {
        double bytes = -1;
        double seconds = 0;
    };
    struct Seen {
        std::string family;
        Point before;
        Point last;
        int sizes_left_to_another = 0;
        bool known(double bytes) const;
        double expected(double bytes) const;
    };

    double factor_;
    std::vector<Seen> seen_;
};

}  // namespace coll_topo::bench
