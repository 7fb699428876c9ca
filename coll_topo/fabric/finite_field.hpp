// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

namespace coll_topo {

/// The field with q elements, q a prime power. Elements are the numbers 0 .. q-1: of a prime field the residues, else
/// polynomials over it, whose coefficients are the digits of the number to the base of the prime. 0 and 1 are the
/// neutral elements.
class FiniteField {
public:
    /// Nothing if `order` is no prime power. Takes time in proportion to the square of the order.
    static std::optional<FiniteField> of_order(int order);

    int order() const { return order_; }
    int add(int a, int b) const { return sums_[a * order_ + b]; }
    int multiply(int a, int b) const { return products_[a * order_ + b]; }

private:
    FiniteField(int prime, int order);
    bool find_products(int tail);
    bool has_zero_divisors() const;

    int prime_;
    int order_;
    std::vector<int> sums_;
    std::vector<int> products_;
};

/// The prime p of a prime power p, p^2, p^3 …; 0 if `number` is none.
int prime_of_power(int number);

}  // namespace coll_topo
