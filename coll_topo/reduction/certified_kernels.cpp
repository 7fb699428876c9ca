// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_kernels.hpp"
#include "coll_topo/reduction/certified_table.hpp"

#include <initializer_list>

namespace coll_topo {
namespace {

template <typename Value>
constexpr CertifiedKernels scalar_kernels = table_of_kernels<Value, ScalarKernels<Value>>();

const CertifiedKernels& scalar_kernels_of(FloatingType type) {
    return for_type(type, []<typename Value>() -> const CertifiedKernels& { return scalar_kernels<Value>; });
}

bool processor_has([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2");
    if (set == InstructionSet::avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    if (set == InstructionSet::neon) return true;
#endif
    return false;
}

}  // namespace

const CertifiedKernels* certified_kernels(FloatingType type, InstructionSet set) {
    if (set == InstructionSet::scalar) return &scalar_kernels_of(type);
    if (!processor_has(set)) return nullptr;
    if (set == InstructionSet::avx2) return avx2_kernels(type);
    return set == InstructionSet::avx512 ? avx512_kernels(type) : neon_kernels(type);
}

const CertifiedKernels& certified_kernels(FloatingType type) {
    for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::neon})
        if (const CertifiedKernels* kernels = certified_kernels(type, set)) return *kernels;
    return scalar_kernels_of(type);
}

}  // namespace coll_topo
