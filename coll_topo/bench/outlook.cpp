// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/outlook.hpp"

#include <algorithm>
#include <map>

namespace coll_topo::bench {

void Outlook::note(double bytes, const std::vector<double>& seconds, const std::vector<bool>& served) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        seen_[i] = {seen_[i].family, seen_[i].last, {bytes, seconds[i]}, served[i]};
    }
}

/// Noise may make a larger message faster; a line does not fall for that reason.
double Outlook::Seen::expected(double bytes) const {
    const double slope = (last.seconds - before.seconds) / (last.bytes - before.bytes);
    return last.seconds + std::max(0.0, slope) * (bytes - last.bytes);
}

std::vector<bool> Outlook::worthwhile(double bytes) const {
    std::vector<bool> result;
    for (const Seen& seen : seen_) result.push_back(seen.served);
    const bool known = std::all_of(seen_.begin(), seen_.end(), [&](const Seen& seen) {
        return seen.before.bytes >= 0 && seen.before.bytes < seen.last.bytes && seen.last.bytes < bytes;
    });
    if (!known || seen_.empty()) return result;
    std::vector<double> expected;
    std::map<std::string, double> fastest;
    for (const Seen& seen : seen_) {
        expected.push_back(seen.expected(bytes));
        double& least = fastest.try_emplace(seen.family, expected.back()).first->second;
        least = std::min(least, expected.back());
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        result[i] = result[i] && expected[i] <= factor_ * fastest[seen_[i].family];
    }
    return result;
}

}  // namespace coll_topo::bench
