// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace coll_topo {

/// Where the blocks of one buffer begin, counted in elements. Trivially copyable; a table is borrowed, not owned.
class BlockMap {
public:
    BlockMap() = default;

    /// A vector of `elements` cut into `blocks`: block k is [k·n/b, (k+1)·n/b). Numbers from `blocks` on repeat the
    /// vector behind its end.
    static BlockMap even(std::size_t elements, int blocks) {
        BlockMap map(Kind::even, elements, blocks);
        if (blocks == 1) return map;
        map.quotient_ = elements / blocks;
        map.remainder_ = elements % blocks;
        return map;
    }

    /// Pieces of `elements` each, every piece cut evenly into `lanes` blocks; block = piece * lanes + lane.
    static BlockMap pieces(std::size_t elements, int lanes) { return BlockMap(Kind::pieces, elements, lanes); }

    /// The same blocks lane by lane: block = lane * pieces + place in the lane.
    static BlockMap pieces_by_lane(std::size_t elements, int lanes, int pieces) {
        BlockMap map(Kind::pieces_by_lane, elements, lanes);
        map.pieces_ = pieces;
        return map;
    }

    /// begin[k] for every block and the end.
    static BlockMap table(const std::size_t* begin) {
        BlockMap map(Kind::table, 0, 1);
        map.begin_ = begin;
        return map;
    }

    std::size_t offset(std::int32_t block) const {
        // The smallest messages notice divisions.
        if (cuts_ == 1 && kind_ != Kind::table) return static_cast<std::size_t>(block) * elements_;
        switch (kind_) {
            case Kind::even:
                return block / cuts_ * elements_ + even_cut(block % cuts_);
            case Kind::pieces:
                return block / cuts_ * elements_ + cut(block % cuts_);
            case Kind::pieces_by_lane: {
                const std::size_t lane = block / pieces_, place = block % pieces_;
                const std::size_t begin = cut(lane);
                return begin * pieces_ + (lane < static_cast<std::size_t>(cuts_) ? place * (cut(lane + 1) - begin) : 0);
            }
            case Kind::table:
                return begin_[block];
        }
        return 0;
    }

private:
    enum class Kind : std::uint8_t { even, pieces, pieces_by_lane, table };
    BlockMap(Kind kind, std::size_t elements, int cuts) : kind_(kind), cuts_(cuts), elements_(elements) {}

    // k·n/b without overflow of k·n.
    std::size_t even_cut(std::size_t k) const { return k * quotient_ + k * remainder_ / cuts_; }
    std::size_t cut(std::size_t lane) const { return lane * elements_ / cuts_; }

    Kind kind_ = Kind::even;
    int cuts_ = 1;
    int pieces_ = 1;
    std::size_t elements_ = 0;
    std::size_t quotient_ = 0;
    std::size_t remainder_ = 0;
    const std::size_t* begin_ = nullptr;
};

}  // namespace coll_topo
