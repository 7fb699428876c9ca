// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cfenv>
#include <cstdint>

namespace coll_topo {

/// While it lives, this thread rounds to nearest with subnormal numbers and without traps, as exact sums need it; then
/// the caller's modes and flags are back as they were. What is computed must be in functions compiled elsewhere: within
/// one function a compiler may move arithmetic past it.
class FloatingEnvironment {
public:
    FloatingEnvironment();
    ~FloatingEnvironment();
    FloatingEnvironment(const FloatingEnvironment&) = delete;
    FloatingEnvironment& operator=(const FloatingEnvironment&) = delete;

private:
#if defined(__x86_64__)
    std::uint32_t sse_;                       ///< MXCSR
    std::uint16_t x87_control_, x87_status_;  ///< long double
#else
    std::fenv_t callers_;
#endif
};

}  // namespace coll_topo
