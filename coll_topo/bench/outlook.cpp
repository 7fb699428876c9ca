// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/outlook.hpp"

#include <algorithm>
#include <map>

namespace coll_topo::bench {

void Outlook::note(double bytes, const std::vector<double>& seconds, const std::vector<bool>& served) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        Seen& seen = seen_[i];
        seen.before = seen.last;
        seen.last = served[i] ? Point{bytes, seconds[i]} : Point{};
        seen.sizes_left_to_another = served[i] ? 0 : seen.sizes_left_to_another + 1;
    }
}

bool Outlook::Seen::known(double bytes) const {
    return before.bytes >= 0 && before.bytes < last.bytes && last.bytes < bytes;
}

/// Noise may make a larger message faster; a line does not fall for that reason.
double Outlook::Seen::expected(double bytes) const {
    const double slope = (last.seconds - before.seconds) / (last.bytes - before.bytes);
    return last.seconds + std::max(0.0, slope) * (bytes - last.bytes);
}

std::vector<bool> Outlook::worthwhile(double bytes) const {
    std::map<std::string, double> fastest;
    for (const Seen& seen : seen_) {
        if (!seen.known(bytes)) continue;
        double& least = fastest.try_emplace(seen.family, seen.expected(bytes)).first->second;
        least = std::min(least, seen.expected(bytes));
    }
    std::vector<bool> result;
    for (const Seen& seen : seen_) {
        const bool too_slow = seen.known(bytes) && seen.expected(bytes) > factor_ * fastest[seen.family];
        result.push_back(seen.sizes_left_to_another < 2 && !too_slow);
    }
    return result;
}

}  // namespace coll_topo::bench
