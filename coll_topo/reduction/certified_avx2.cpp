// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_scalar.hpp"
#include "coll_topo/reduction/certified_sum.hpp"
#include "coll_topo/reduction/certified_table.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

namespace coll_topo {
namespace {

constexpr std::size_t lanes = 4;
using Bits [[gnu::vector_size(lanes * 8)]] = std::uint64_t;

inline bool any(Bits bits) {
    return _mm256_testz_si256((__m256i)bits, (__m256i)bits) == 0;
}

}  // namespace
}  // namespace coll_topo

#include "coll_topo/reduction/certified_vector_kernels.hpp"

const coll_topo::CertifiedKernels* coll_topo::avx2_kernels(FloatingType type) {
    return vector_kernels(type);
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

const coll_topo::CertifiedKernels* coll_topo::avx2_kernels(FloatingType) {
    return nullptr;
}

#endif
