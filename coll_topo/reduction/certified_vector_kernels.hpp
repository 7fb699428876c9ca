// SPDX-License-Identifier: BSD-3-Clause
// All vector kernels; see certified_vector.hpp for what must come before.
#pragma once

#include "coll_topo/reduction/certified_vector.hpp"
#include "coll_topo/reduction/certified_vector_double.hpp"
#include "coll_topo/reduction/certified_vector_float.hpp"

namespace coll_topo {
namespace {

constexpr CertifiedKernels vector_kernels_of_float = table_of_kernels<float, FloatKernels>();
constexpr CertifiedKernels vector_kernels_of_double = table_of_kernels<double, DoubleKernels>();

inline const CertifiedKernels* vector_kernels(FloatingType type) {
    if (type == FloatingType::single_precision) return &vector_kernels_of_float;
    return type == FloatingType::double_precision ? &vector_kernels_of_double : nullptr;
}

}  // namespace
}  // namespace coll_topo
