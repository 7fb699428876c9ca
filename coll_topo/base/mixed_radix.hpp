// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace coll_topo {

/// The prime factors of n >= 1 in ascending order, with repetition; none for 1.
std::vector<int> prime_factors(int n);

/// The digit of `number` whose weight is `stride`, in base `radix`.
constexpr int digit(int number, int stride, int radix) {
    return number / stride % radix;
}

/// `number` with that digit replaced.
constexpr int with_digit(int number, int stride, int radix, int value) {
    return number + (value - digit(number, stride, radix)) * stride;
}

}  // namespace coll_topo
