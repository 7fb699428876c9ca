// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/encoded_reduction.hpp"

#include "coll_topo/execute/executor.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace coll_topo {
namespace {

/// Bytes of encoded operands that a repair works on at a time.
constexpr std::size_t repair_bytes = std::size_t{1} << 20;

template <typename Combine>
void combine_words(const std::byte* source, std::byte* target, std::size_t count, Combine combine) {
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, source + i * sizeof a, sizeof a);
        std::memcpy(&b, target + i * sizeof b, sizeof b);
        b = combine(a, b);
        std::memcpy(target + i * sizeof b, &b, sizeof b);
    }
}

void either_bit(const std::byte* source, std::byte* target, std::size_t count) {
    combine_words(source, target, count, std::bit_or<std::uint64_t>());
}

}  // namespace

int EncodedReduction::run(const coll_topo_buffers& buffers) {
    if (reduction_.operation != COLL_TOPO_SUM) return run_extreme(buffers);
    return reduction_.reproducible == COLL_TOPO_EXACT ? run_exact_sum(buffers) : run_fixed_point(buffers);
}

EncodedReduction::Part EncodedReduction::part_of(const coll_topo_buffers& buffers) const {
    if (!plan_.layout.has_pieces()) return {0, buffers.elements};
    const auto rank = static_cast<std::size_t>(plan_.rank);
    if (coll_topo_has_piece_counts(buffers.piece_elements) == 0) {
        return {rank * buffers.elements, (rank + 1) * buffers.elements};
    }
    std::size_t begin = 0;
    for (int other = 0; other < plan_.rank; ++other) begin += coll_topo_piece_count(buffers.piece_elements, other);
    return {begin, begin + coll_topo_piece_count(buffers.piece_elements, plan_.rank)};
}

int EncodedReduction::run_plan(Plan& plan, coll_topo_transport& transport, void* output, std::size_t elements) {
    return execute(
        plan, transport,
        {.input = nullptr, .output = output, .elements = elements, .piece_elements = {}, .operands = nullptr},
        workspace_);
}

int EncodedReduction::run_extreme(const coll_topo_buffers& buffers) {
    EncodedTransport transport(bytes_, operand_.bytes, 1, ordered_extreme(reduction_.operation, operand_.operand));
    return execute(plan_, transport, buffers, workspace_);
}

// ---- the exact sum ----------------------------------------------------------------------------------------------

int EncodedReduction::run_exact_sum(const coll_topo_buffers& buffers) {
    const Part part = part_of(buffers);
    CertifiedTransport transport(bytes_, certified_kernels(*operand_.sum), operand_.components, memory_.certified);
    int error = transport.use_output(buffers.output, part.end - part.begin);
    if (error == 0) error = execute(plan_, transport, buffers, workspace_);
    if (error != 0) return error;
    memory_.uncertain.clear();
    if (reduction_.has_result) {
        transport.finish();
        list_uncertain(buffers.output, part);
    }
    // After an allreduce all ranks have the same result, and the same list.
    if (plan_.collective != Collective::allreduce) error = share_uncertain();
    return error != 0 ? error : repair(static_cast<std::byte*>(buffers.output), part);
}

void EncodedReduction::list_uncertain(const void* output, Part part) {
    const CertifiedKernels& kernels = certified_kernels(*operand_.sum);
    const std::size_t components = operand_.components, values = (part.end - part.begin) * components;
    for (std::size_t value = 0; (value = kernels.find_sentinel(output, value, values)) < values;) {
        const std::size_t element = value / components;
        memory_.uncertain.push_back(part.begin + element);
        value = (element + 1) * components;
    }
}

int EncodedReduction::share_uncertain() {
    std::uint64_t any = memory_.uncertain.empty() ? 0 : 1;
    EncodedTransport transport(bytes_, sizeof any, 1, either_bit);
    int error = run_plan(allreduce_, transport, &any, 1);
    if (error != 0 || any == 0) return error;
    // One bit for each element.
    const std::size_t words = (reduction_.elements + 63) / 64;
    auto* bits = reinterpret_cast<std::uint64_t*>(memory_.flags.reserve(words * sizeof any));
    if (bits == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    std::fill_n(bits, words, 0);
    for (const std::size_t element : memory_.uncertain) bits[element / 64] |= std::uint64_t{1} << element % 64;
    error = run_plan(allreduce_, transport, bits, words);
    memory_.uncertain.clear();
    for (std::size_t element = 0; element < reduction_.elements; ++element) {
        if ((bits[element / 64] >> element % 64 & 1) != 0) memory_.uncertain.push_back(element);
    }
    return error;
}

int EncodedReduction::repair(std::byte* output, Part part) {
    const std::size_t size = superaccumulator(*operand_.sum).encoded_bytes * operand_.components;
    const std::size_t most = std::max<std::size_t>(1, repair_bytes / size);
    const std::span<const std::size_t> all = memory_.uncertain;
    for (std::size_t begin = 0; begin < all.size(); begin += most) {
        const int error = repair_some(all.subspan(begin, std::min(most, all.size() - begin)), output, part);
        if (error != 0) return error;
    }
    return 0;
}

/// Sums of a few elements of the vector, once more, as long integers.
int EncodedReduction::repair_some(std::span<const std::size_t> elements, std::byte* output, Part part) {
    const ExactEncoding& encoding = superaccumulator(*operand_.sum);
    const std::size_t components = operand_.components, count = elements.size() * components;
    const std::size_t element_bytes = encoding.value_bytes * components;
    std::byte* values = memory_.values.reserve(count * encoding.value_bytes);
    std::byte* encoded = memory_.encoded.reserve(count * encoding.encoded_bytes);
    if (values == nullptr || encoded == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    const auto* operands = static_cast<const std::byte*>(reduction_.operands);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::memcpy(values + i * element_bytes, operands + elements[i] * element_bytes, element_bytes);
    }
    encoding.encode(values, encoded, count);
    EncodedTransport transport(bytes_, encoding.encoded_bytes, operand_.components, encoding.combine);
    const int error = run_plan(allreduce_, transport, encoded, elements.size());
    if (error != 0 || !reduction_.has_result) return error;
    encoding.decode(encoded, values, count);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i] < part.begin || elements[i] >= part.end) continue;
        std::memcpy(output + (elements[i] - part.begin) * element_bytes, values + i * element_bytes, element_bytes);
    }
    return 0;
}

// ---- fixed point ------------------------------------------------------------------------------------------------

int EncodedReduction::run_fixed_point(const coll_topo_buffers& buffers) {
    const FixedPointEncoding& encoding = fixed_point(*operand_.sum);
    const Part part = part_of(buffers);
    const std::size_t components = operand_.components, count = reduction_.elements * components;
    const std::size_t own = (part.end - part.begin) * components;
    std::byte* exponents = memory_.encoded.reserve(count * encoding.exponent_bytes);
    std::byte* scaled = memory_.values.reserve(count * encoding.scaled_bytes);
    std::byte* results = plan_.layout.has_pieces() ? memory_.results.reserve(own * encoding.scaled_bytes) : scaled;
    if (exponents == nullptr || scaled == nullptr || results == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    encoding.exponents(reduction_.operands, exponents, count);
    EncodedTransport first(bytes_, encoding.exponent_bytes, operand_.components, encoding.combine_exponents);
    int error = run_plan(allreduce_, first, exponents, reduction_.elements);
    if (error != 0) return error;
    encoding.scale(reduction_.operands, exponents, scaled, count);
    EncodedTransport second(bytes_, encoding.scaled_bytes, operand_.components, encoding.combine_scaled);
    coll_topo_buffers scaled_buffers = buffers;
    scaled_buffers.input = scaled;
    scaled_buffers.output = results;
    error = execute(plan_, second, scaled_buffers, workspace_);
    if (error != 0 || !reduction_.has_result) return error;
    encoding.decode(results, exponents + part.begin * components * encoding.exponent_bytes, buffers.output, own);
    return 0;
}

}  // namespace coll_topo
