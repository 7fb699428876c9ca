// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/reduction/certified_scalar.hpp"

namespace coll_topo {

/// Kernels as a table: those of `Kernels`, and copying, which is the same for all instruction sets.
template <typename Value, typename Kernels>
constexpr CertifiedKernels table_of_kernels() {
    using Scalar = ScalarKernels<Value>;
    return {sizeof(Value),
            Scalar::low_bytes,
            Scalar::packed_bytes,
            &Kernels::expand,
            &Kernels::add_plain_to_plain,
            &Kernels::add_plain,
            &Kernels::add_packed,
            &Scalar::pack,
            &Scalar::unpack,
            &Kernels::settles,
            &Kernels::round,
            &Kernels::find_sentinel};
}

/// Those of vectors, float and double; null where the compiler does not know the instruction set. Whether the processor
/// does is not checked.
const CertifiedKernels* avx2_kernels(FloatingType type);
const CertifiedKernels* avx512_kernels(FloatingType type);
const CertifiedKernels* neon_kernels(FloatingType type);

}  // namespace coll_topo
