// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/execute/shadowed_ranges.hpp"
#include "coll_topo/execute/workspace.hpp"
#include "coll_topo/reduction/certified_kernels.hpp"

#include <cstddef>

namespace coll_topo {

/// The sums in the buffers that a reduction works in. Those that are more than their values have a shadow: low parts,
/// and bounds of what was lost.
class CertifiedSums {
public:
    /// A buffer; its memory for shadows is kept and reused.
    struct Region {
        std::byte* values = nullptr;
        std::size_t count = 0;  ///< values
        Shadow shadow{};
        ShadowedRanges shadowed;
        Workspace memory;
    };
    /// A value in a buffer, by number; of what is in neither, the region is null.
    struct Place {
        Region* region;
        std::size_t begin;
    };

    /// All that is given must outlive this.
    CertifiedSums(const CertifiedKernels& kernels, Region& output, Region& scratch)
        : kernels_(kernels), regions_{&output, &scratch} {}

    /// Makes a region of memory that holds plain values: COLL_TOPO_OUT_OF_MEMORY or 0.
    int lay_out(Region& region, void* values, std::size_t count) const;
    Place find(const void* address) const;

    /// Turns sums into results or sentinels.
    void complete(Place at, std::size_t count) const;
    /// Also finds out what has become plain: sums of integers and the like cost nothing more than their values.
    bool are_plain(Place at, std::size_t count) const;
    /// What is there now are plain values.
    static void set_plain(Place at, std::size_t count) { at.region->shadowed.remove(at.begin, at.begin + count); }
    /// To and from what messages carry of sums that are not plain.
    void pack(Place from, std::byte* packed, std::size_t count) const;
    void unpack(const std::byte* packed, Place to, std::size_t count) const;

    /// In a FloatingEnvironment, as the next two.
    void add_packed(const std::byte* packed, Place to, std::size_t count) const;
    void add_plain(const std::byte* values, Place to, std::size_t count) const;
    void add_sums(Place from, Place to, std::size_t count) const;
    /// Of sums whose values have been copied.
    void copy_shadows(Place from, Place to, std::size_t count) const;

private:
    Shadow shadow_at(const Region& region, std::size_t index) const {
        return {region.shadow.low + index * kernels_.low_bytes, region.shadow.bound + index};
    }
    std::byte* value_at(const Region& region, std::size_t index) const {
        return region.values + index * kernels_.value_bytes;
    }
    /// Gives all of them a shadow.
    void expand(Place at, std::size_t count) const;

    const CertifiedKernels& kernels_;
    Region* const regions_[2];
};

}  // namespace coll_topo
