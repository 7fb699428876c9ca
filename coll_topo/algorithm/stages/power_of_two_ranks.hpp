// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

namespace coll_topo {

/// How p ranks become a power of two: with 2^k <= p < 2^(k+1), the first 2(p - 2^k) ranks form pairs of neighbours, of
/// which one goes on for both. Those that go on are numbered 0 .. 2^k - 1 in rank order.
class PowerOfTwoRanks {
public:
    enum class GoesOn { even, odd };

    PowerOfTwoRanks(int ranks, GoesOn which)
        : size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
          pairs_(ranks - size_),
          odd_(which == GoesOn::odd ? 1 : 0) {}

    int size() const { return size_; }
    int pairs() const { return pairs_; }
    bool paired(int rank) const { return rank < 2 * pairs_; }
    bool goes_on(int rank) const { return !paired(rank) || rank % 2 == odd_; }

    /// The number of a rank that goes on, and back.
    int number(int rank) const { return paired(rank) ? rank / 2 : rank - pairs_; }
    int rank(int number) const { return number < pairs_ ? 2 * number + odd_ : number + pairs_; }

private:
    int size_;
    int pairs_;
    int odd_;
};

}  // namespace coll_topo
