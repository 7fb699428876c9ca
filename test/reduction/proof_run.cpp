// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/proof_run.hpp"

#include "test/algorithm/trial.hpp"
#include "test/reduction/oracle.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace coll_topo::test {

template <class Value>
void prove(std::size_t sums, std::span<const Distribution> distributions, const TrialCheck<Value>& check) {
    // Without thread-local state in MPFR there can be one thread only.
    const unsigned threads = mpfr_buildopt_tls_p() != 0 ? std::max(1u, std::thread::hardware_concurrency()) : 1;
    std::atomic<std::size_t> done{0};
    std::mutex mutex;
    std::string failure;
    const auto run = [&](unsigned thread) {
        Random random(1000 + thread);
        while (done < sums) {
            const auto trial = draw_trial<Value>(distributions, 40, 40, random);
            const std::string wrong = check(trial, random);
            if (!wrong.empty()) {
                const std::scoped_lock lock(mutex);
                failure = wrong;
                done = sums;
            }
            done += trial.count();
        }
        mpfr_free_cache();
    };
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
    run(0);
    for (std::thread& other : others) other.join();
    EXPECT_EQ(failure, "");
}

template <class Value>
std::size_t proof_sums() {
    if (std::is_same_v<Value, long double>) return full_proof() ? 200'000 : 1000;
    return full_proof() ? 5'000'000 : 20'000;
}

template <class Value>
std::string wrong(const std::string& what, const SumTrial<Value>& trial, std::size_t element, Value result) {
    return what + ", element " + std::to_string(element) + " of " + std::to_string(trial.count()) + ", " +
           name(trial.distributions[element]) + ", " + std::to_string(trial.ranks()) + " ranks: " + show(result) +
           " is not " + show(trial.sums[element]);
}

#define COLL_TOPO_INSTANTIATE(Value)                                                           \
    template void prove(std::size_t, std::span<const Distribution>, const TrialCheck<Value>&); \
    template std::size_t proof_sums<Value>();                                                  \
    template std::string wrong(const std::string&, const SumTrial<Value>&, std::size_t, Value);
COLL_TOPO_INSTANTIATE(float)
COLL_TOPO_INSTANTIATE(double)
COLL_TOPO_INSTANTIATE(long double)
#undef COLL_TOPO_INSTANTIATE

}  // namespace coll_topo::test
