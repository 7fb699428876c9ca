// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace coll_topo::verify {

/// The symbolic value of a block: which contributions have been combined in it. Kept as words() machine words, all zero
/// while the block holds nothing: a set of contributions, or, where order matters, an interval of them. A contribution
/// is numbered by its rank, unless the user of this class gives the numbers another meaning.
class Contributions {
public:
    using Word = std::uint64_t;

    Contributions(int ranks, bool in_order)
        : ranks_(ranks), words_(in_order ? 1 : (ranks + word_bits - 1) / word_bits), in_order_(in_order) {}

    int words() const { return words_; }

    /// Makes a value the contribution of one rank.
    void set(Word* value, int rank) const;
    bool nothing(const Word* value) const;
    /// Whether a value is the contribution of this rank alone, or of all ranks.
    bool only(const Word* value, int rank) const;
    bool all(const Word* value) const;

    /// Combines `received` into `value`, standing left or right of it. False, and `value` as it was, if a contribution
    /// would count twice or, in order, the two are not neighbours that way round.
    bool combine(Word* value, const Word* received, bool received_stands_left) const;

    /// The lowest contribution in a value, -1 if it holds nothing.
    int lowest(const Word* value) const;
    /// "ranks 0-3, 7" or "nothing".
    std::string text(const Word* value) const;

private:
    static constexpr int word_bits = 64;

    bool holds(const Word* value, int rank) const;

    int ranks_;
    int words_;
    bool in_order_;
};

}  // namespace coll_topo::verify
