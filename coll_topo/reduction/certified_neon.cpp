// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_scalar.hpp"
#include "coll_topo/reduction/certified_sum.hpp"
#include "coll_topo/reduction/certified_table.hpp"

#if defined(__aarch64__)

namespace coll_topo {
namespace {

constexpr std::size_t lanes = 2;
using Bits [[gnu::vector_size(lanes * 8)]] = std::uint64_t;

inline bool any(Bits bits) {
    return (bits[0] | bits[1]) != 0;
}

}  // namespace
}  // namespace coll_topo

#include "coll_topo/reduction/certified_vector_kernels.hpp"

const coll_topo::CertifiedKernels* coll_topo::neon_kernels(FloatingType type) {
    return vector_kernels(type);
}

#else

const coll_topo::CertifiedKernels* coll_topo::neon_kernels(FloatingType) {
    return nullptr;
}

#endif
