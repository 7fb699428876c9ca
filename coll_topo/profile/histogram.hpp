// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace coll_topo {

/// How often durations occurred, in bins that grow with them: eight to a doubling, from 32 ns on.
class Histogram {
public:
    static constexpr int bins = 256;

    std::array<std::uint64_t, bins> count = {};

    void add(const Histogram& other);
    std::uint64_t total() const;
    /// Seconds, to about 5 %; nothing if it is empty.
    std::optional<double> median() const;
};

}  // namespace coll_topo
