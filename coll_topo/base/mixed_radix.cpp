// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/mixed_radix.hpp"

namespace coll_topo {

std::vector<int> prime_factors(int n) {
    std::vector<int> factors;
    for (int divisor = 2; divisor * divisor <= n; ++divisor) {
        for (; n % divisor == 0; n /= divisor) factors.push_back(divisor);
    }
    if (n > 1) factors.push_back(n);
    return factors;
}

}  // namespace coll_topo
