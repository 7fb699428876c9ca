// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/environments.hpp"

#include <cfenv>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace coll_topo::test {

void in_each_environment(const std::function<void(const std::string&)>& body) {
    struct Mode {
        const char* name;
        int rounding;
    };
    for (const Mode mode : {Mode{"to nearest", FE_TONEAREST}, Mode{"upward", FE_UPWARD}, Mode{"downward", FE_DOWNWARD},
                            Mode{"toward zero", FE_TOWARDZERO}}) {
        std::fesetround(mode.rounding);
        body(mode.name);
        std::fesetround(FE_TONEAREST);
    }
#ifdef __SSE2__
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x40;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | flush_to_zero | denormals_are_zero);
    body("flush to zero");
    _mm_setcsr(before);
#endif
}

}  // namespace coll_topo::test
