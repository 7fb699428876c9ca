// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/profile/histogram.hpp"

#include <cmath>
#include <numeric>

namespace coll_topo {

namespace {

/// Nanoseconds at which a bin begins, as coll_topo_profile_bin() cuts them: linear within a doubling.
double begin_of(int bin) {
    constexpr int parts = 8;
    constexpr double shortest = 32;
    return std::ldexp(shortest * (1 + static_cast<double>(bin % parts) / parts), bin / parts);
}

}  // namespace

void Histogram::add(const Histogram& other) {
    for (int bin = 0; bin < bins; ++bin) count[bin] += other.count[bin];
}

std::uint64_t Histogram::total() const {
    return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

std::optional<double> Histogram::median() const {
    const double half = static_cast<double>(total()) / 2;
    double below = 0;
    for (int bin = 0; bin < bins; ++bin) {
        const auto here = static_cast<double>(count[bin]);
        if (here == 0 || below + here < half) {
            below += here;
            continue;
        }
        const double begin = bin == 0 ? 0 : begin_of(bin);
        return 1e-9 * (begin + (begin_of(bin + 1) - begin) * (half - below) / here);
    }
    return std::nullopt;
}

}  // namespace coll_topo
