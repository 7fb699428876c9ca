// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "test/reduction/sum_trial.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace coll_topo::test {

/// Looks at a trial and says what is wrong with it, if anything.
template <class Value>
using TrialCheck = std::function<std::string(const SumTrial<Value>& trial, Random& random)>;

/// Checks random trials until there were `sums` sums, in as many threads as there are processors, and fails the test at
/// the first one that is wrong.
template <class Value>
void prove(std::size_t sums, std::span<const Distribution> distributions, const TrialCheck<Value>& check);

/// How many sums: long double takes much longer. COLL_TOPO_PROOF=full in the environment asks for many more.
template <class Value>
std::size_t proof_sums();

/// What is wrong with the result for an element of a trial.
template <class Value>
std::string wrong(const std::string& what, const SumTrial<Value>& trial, std::size_t element, Value result);

}  // namespace coll_topo::test
