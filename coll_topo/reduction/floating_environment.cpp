// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/floating_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace coll_topo {

#if defined(__x86_64__)

// fegetenv() and fesetenv() would do, but took 1.4 us together, for they load the whole environment of the x87 unit.
namespace {

constexpr std::uint32_t default_sse = 0x1f80;  // traps masked, to nearest, no flush to zero, no zeros for subnormals
constexpr std::uint16_t default_x87_control = 0x037f;  // traps masked, to nearest, 64 bits of precision
constexpr std::uint16_t x87_flags = 0xff;              // exceptions seen, of the status word

struct X87Environment {
    std::uint32_t control, status, tag, instruction, code_segment, operand, data_segment;
};

std::uint16_t x87_status() {
    std::uint16_t status;
    asm volatile("fnstsw %0" : "=am"(status));
    return status;
}

void set_x87_flags(std::uint16_t status) {
    X87Environment environment;
    asm volatile("fnstenv %0" : "=m"(environment));
    environment.status = (environment.status & ~std::uint32_t{x87_flags}) | (status & x87_flags);
    asm volatile("fldenv %0" : : "m"(environment));
}

}  // namespace

FloatingEnvironment::FloatingEnvironment() : sse_(_mm_getcsr()), x87_status_(x87_status()) {
    asm volatile("fnstcw %0" : "=m"(x87_control_));
    asm volatile("fldcw %0" : : "m"(default_x87_control));
    _mm_setcsr(default_sse);
}

FloatingEnvironment::~FloatingEnvironment() {
    // The flags first: while traps are masked none of them can trap.
    if (((x87_status() ^ x87_status_) & x87_flags) != 0) set_x87_flags(x87_status_);
    asm volatile("fldcw %0" : : "m"(x87_control_));
    _mm_setcsr(sse_);
}

#else

// On ARM64, glibc's default environment has no flush to zero either.
FloatingEnvironment::FloatingEnvironment() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
}

FloatingEnvironment::~FloatingEnvironment() {
    std::fesetenv(&callers_);
}

#endif

}  // namespace coll_topo
