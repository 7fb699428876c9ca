// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/finite_field.hpp"

namespace coll_topo {

namespace {

/// A sum of two polynomials: digit by digit, without carry. `factor` multiplies the second.
int add_polynomials(int a, int b, int factor, int prime) {
    int sum = 0;
    for (int place = 1; a > 0 || b > 0; place *= prime, a /= prime, b /= prime) {
        sum += (a % prime + factor * (b % prime)) % prime * place;
    }
    return sum;
}

}  // namespace

int prime_of_power(int number) {
    if (number < 2) return 0;
    int prime = 2;
    while (number % prime != 0 && prime * prime <= number) ++prime;
    if (number % prime != 0) return number;
    while (number % prime == 0) number /= prime;
    return number == 1 ? prime : 0;
}

std::optional<FiniteField> FiniteField::of_order(int order) {
    const int prime = prime_of_power(order);
    if (prime == 0) return {};
    FiniteField field(prime, order);
    // Products are taken modulo x^degree + tail. Of every degree there is an irreducible polynomial, so this ends.
    for (int tail = 0; !field.find_products(tail);) ++tail;
    return field;
}

FiniteField::FiniteField(int prime, int order) : prime_(prime), order_(order) {
    for (int a = 0; a < order; ++a) {
        for (int b = 0; b < order; ++b) sums_.push_back(add_polynomials(a, b, 1, prime));
    }
}

/// Fills in all products modulo x^degree + tail; false if that is not irreducible.
bool FiniteField::find_products(int tail) {
    const int top = order_ / prime_;  // the place of the highest coefficient
    products_.assign(sums_.size(), 0);
    for (int a = 0; a < order_; ++a) {
        int shifted = a;  // a, times a power of x
        for (int place = 1; place < order_; place *= prime_) {
            for (int b = 0; b < order_; ++b) {
                int& product = products_[a * order_ + b];
                product = add_polynomials(product, shifted, b / place % prime_, prime_);
            }
            const int highest = shifted / top;
            shifted = add_polynomials(shifted % top * prime_, tail, prime_ - highest, prime_);
        }
    }
    return !has_zero_divisors();
}

bool FiniteField::has_zero_divisors() const {
    for (int a = 1; a < order_; ++a) {
        for (int b = 1; b < order_; ++b) {
            if (multiply(a, b) == 0) return true;
        }
    }
    return false;
}

}  // namespace coll_topo
