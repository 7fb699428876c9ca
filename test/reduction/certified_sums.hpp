// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/certified_kernels.hpp"
#include "test/reduction/sum_trial.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coll_topo::test {

/// An array of partial sums as a rank holds it, plain or with a shadow, at odd addresses.
class CertifiedSums {
public:
    CertifiedSums(const CertifiedKernels& kernels, const void* values, std::size_t count);

    /// this += source, in one of the ways that there are for what the two are: plain, with a shadow, in a message.
    /// Which one, and whether a sum that may forget its shadow does so, is random.
    void add(CertifiedSums& source, Random& random);

    /// The values rounded, or sentinels.
    const std::byte* round();

    /// Whether a message did not end with the mark of an unpacked one so far.
    bool messages_are_marked() const { return marked_; }

private:
    void expand();
    void forget_shadow_if_settled();
    Bytes pack();
    Shadow shadow() { return {low_.data() + 1, bounds_.data()}; }

    const CertifiedKernels* kernels_;
    std::size_t count_;
    bool plain_ = true;
    bool marked_ = true;
    Bytes values_, low_;
    std::vector<std::uint16_t> bounds_;
};

/// Sums all ranks' operands in a random tree.
CertifiedSums certified_sums(const CertifiedKernels& kernels, const std::vector<Bytes>& operands, std::size_t count,
                             Random& random);

}  // namespace coll_topo::test
