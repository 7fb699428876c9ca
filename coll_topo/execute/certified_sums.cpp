// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/certified_sums.hpp"

#include "coll_topo/execute/transport.h"
#include "coll_topo/reduction/floating_environment.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace coll_topo {

int CertifiedSums::lay_out(Region& region, void* values, std::size_t count) const {
    const std::size_t low = Workspace::aligned(count * kernels_.low_bytes);
    std::byte* memory = region.memory.reserve(low + count * sizeof(std::uint16_t));
    if (memory == nullptr) return COLL_TOPO_OUT_OF_MEMORY;
    region.values = static_cast<std::byte*>(values);
    region.count = count;
    region.shadow = {memory, reinterpret_cast<std::uint16_t*>(memory + low)};
    region.shadowed.clear();
    return 0;
}

CertifiedSums::Place CertifiedSums::find(const void* address) const {
    for (Region* region : regions_) {
        // As integers: the address may be in neither, and pointers into different arrays have no difference. Of one
        // below the region it is huge.
        const auto offset =
            reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(region->values);
        if (offset < region->count * kernels_.value_bytes) return {region, offset / kernels_.value_bytes};
    }
    return {nullptr, 0};
}

void CertifiedSums::complete(Place at, std::size_t count) const {
    Region& region = *at.region;
    const std::size_t end = at.begin + count;
    if (region.shadowed.none_in(at.begin, end)) return;
    const FloatingEnvironment environment;
    region.shadowed.visit(at.begin, end, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (shadowed) kernels_.round(value_at(region, from), shadow_at(region, from), to - from);
    });
    set_plain(at, count);
}

bool CertifiedSums::are_plain(Place at, std::size_t count) const {
    const Region& region = *at.region;
    bool plain = true;
    region.shadowed.visit(at.begin, at.begin + count, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (plain && shadowed) plain = kernels_.settles(value_at(region, from), shadow_at(region, from), to - from);
    });
    if (plain) set_plain(at, count);
    return plain;
}

void CertifiedSums::expand(Place at, std::size_t count) const {
    Region& region = *at.region;
    region.shadowed.visit(at.begin, at.begin + count, [&](std::size_t from, std::size_t to, bool shadowed) {
        if (!shadowed) kernels_.expand(value_at(region, from), shadow_at(region, from), to - from);
    });
    region.shadowed.add(at.begin, at.begin + count);
}

void CertifiedSums::pack(Place from, std::byte* packed, std::size_t count) const {
    expand(from, count);
    kernels_.pack(value_at(*from.region, from.begin), shadow_at(*from.region, from.begin), packed, count);
}

void CertifiedSums::unpack(const std::byte* packed, Place to, std::size_t count) const {
    kernels_.unpack(packed, value_at(*to.region, to.begin), shadow_at(*to.region, to.begin), count);
    to.region->shadowed.add(to.begin, to.begin + count);
}

void CertifiedSums::add_packed(const std::byte* packed, Place to, std::size_t count) const {
    expand(to, count);
    kernels_.add_packed(packed, value_at(*to.region, to.begin), shadow_at(*to.region, to.begin), count);
}

void CertifiedSums::add_plain(const std::byte* values, Place to, std::size_t count) const {
    Region& region = *to.region;
    region.shadowed.visit(to.begin, to.begin + count, [&](std::size_t from, std::size_t end, bool shadowed) {
        const auto add = shadowed ? kernels_.add_plain : kernels_.add_plain_to_plain;
        add(values + (from - to.begin) * kernels_.value_bytes, value_at(region, from), shadow_at(region, from),
            end - from);
    });
    region.shadowed.add(to.begin, to.begin + count);
}

/// Packed bit by bit where the source has a shadow.
void CertifiedSums::add_sums(Place from, Place to, std::size_t count) const {
    alignas(16) std::array<std::byte, 8192> packed;
    const std::size_t longest = packed.size() / kernels_.packed_bytes;
    const Region& source = *from.region;
    source.shadowed.visit(from.begin, from.begin + count, [&](std::size_t at, std::size_t end, bool shadowed) {
        while (at < end) {
            const std::size_t now = shadowed ? std::min(longest, end - at) : end - at;
            const Place target{to.region, to.begin + (at - from.begin)};
            if (shadowed) {
                kernels_.pack(value_at(source, at), shadow_at(source, at), packed.data(), now);
                add_packed(packed.data(), target, now);
            } else {
                add_plain(value_at(source, at), target, now);
            }
            at += now;
        }
    });
}

void CertifiedSums::copy_shadows(Place from, Place to, std::size_t count) const {
    from.region->shadowed.visit(from.begin, from.begin + count, [&](std::size_t at, std::size_t end, bool shadowed) {
        if (!shadowed) return;
        const Shadow old = shadow_at(*from.region, at);
        const std::size_t copied = to.begin + (at - from.begin);
        const Shadow made = shadow_at(*to.region, copied);
        std::memcpy(made.low, old.low, (end - at) * kernels_.low_bytes);
        std::memcpy(made.bound, old.bound, (end - at) * sizeof *old.bound);
        to.region->shadowed.add(copied, copied + (end - at));
    });
}

}  // namespace coll_topo
