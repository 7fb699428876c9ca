// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_scalar.hpp"
#include "coll_topo/reduction/certified_sum.hpp"
#include "coll_topo/reduction/certified_table.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif

namespace coll_topo {
namespace {

constexpr std::size_t lanes = 8;
using Bits [[gnu::vector_size(lanes * 8)]] = std::uint64_t;

inline bool any(Bits bits) {
    return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) != 0;
}

}  // namespace
}  // namespace coll_topo

#include "coll_topo/reduction/certified_vector_kernels.hpp"

const coll_topo::CertifiedKernels* coll_topo::avx512_kernels(FloatingType type) {
    return vector_kernels(type);
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

const coll_topo::CertifiedKernels* coll_topo::avx512_kernels(FloatingType) {
    return nullptr;
}

#endif
