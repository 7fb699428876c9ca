// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/fabric/torus.hpp"

#include <cstdint>
#include <vector>

namespace coll_topo {

/// The offsets of a torus, and what one puts on the links when every cell sends a message that far. An offset is given
/// as the number of the cell that has it from cell 0; cells are at most 2^31 - 1.
///
/// Offset x loads the links of a ring in one direction alone, x messages on each, and its mirror image -x those of the
/// other: x/2 per message and direction. Half-way offsets go one way only if ties do. If the parity of the sender
/// decides, and half the size is odd, one of two neighbouring links carries one message more. All offsets of the first
/// dimension load the same links more; behind a dimension of even size, the component along that decides which, so that
/// the next offset can make up for it.
/// A row without wrap carries min(x, size - x) messages on its middle link, each way.
class OffsetSpace {
public:
    explicit OffsetSpace(const Torus& torus);

    int dimensions() const { return static_cast<int>(sizes_.size()); }
    std::int32_t cells() const { return cells_; }
    int size(int dimension) const { return sizes_[dimension]; }
    bool wrapped(int dimension) const { return wrapped_[dimension]; }
    bool any_wrapped() const;

    /// -size/2 < component <= size/2
    int component(std::int32_t offset, int dimension) const;
    /// The offset with another component, given modulo the size.
    std::int32_t with_component(std::int32_t offset, int dimension, int component) const;
    std::int32_t mirror(std::int32_t offset) const;

    /// Half the way round a ring.
    bool is_half(std::int32_t offset, int dimension) const;

    /// Time that the busiest link of a dimension needs for one message of the offset, as if its mirror image were sent
    /// with it; in times of a message on the fastest links.
    double load(std::int32_t offset, int dimension) const;
    /// The same per message on that link.
    double slowness(int dimension) const { return slowness_[dimension]; }

    /// The first dimension of even size, or the number of dimensions.
    int first_even() const { return first_even_; }
    /// Whether this ring takes longer than all others unless offsets half-way round it make up for each other.
    bool must_even_out(int dimension) const { return must_even_out_[dimension]; }

    /// The dimension that takes longest for the whole exchange under the routing of the torus, and its time.
    int slowest() const { return slowest_; }
    double bound() const { return totals_[slowest_]; }
    double total(int dimension) const { return totals_[dimension]; }

private:
    double whole_exchange(int dimension, bool evened_out) const;

    std::vector<int> sizes_;
    std::vector<std::int32_t> strides_;
    std::vector<bool> wrapped_;
    std::vector<double> slowness_;
    Tie tie_;
    std::int32_t cells_ = 1;
    int first_even_ = 0;
    int slowest_ = 0;
    std::vector<double> totals_;
    std::vector<bool> must_even_out_;
};

}  // namespace coll_topo
