// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/contributions.hpp"

#include <bit>

namespace coll_topo::verify {
namespace {

// An interval [first, end) of ranks in one word; end > 0 keeps it apart from "nothing".
using Word = Contributions::Word;

Word interval(Word first, Word end) {
    return end << 32 | first;
}
Word first_of(Word value) {
    return value & 0xffffffffu;
}
Word end_of(Word value) {
    return value >> 32;
}

}  // namespace

void Contributions::set(Word* value, int rank) const {
    if (in_order_) {
        *value = interval(rank, rank + 1);
        return;
    }
    for (int i = 0; i < words_; ++i) value[i] = 0;
    value[rank / word_bits] = Word{1} << (rank % word_bits);
}

bool Contributions::nothing(const Word* value) const {
    Word any = 0;
    for (int i = 0; i < words_; ++i) any |= value[i];
    return any == 0;
}

bool Contributions::holds(const Word* value, int rank) const {
    const auto place = static_cast<Word>(rank);
    if (in_order_) return first_of(*value) <= place && place < end_of(*value);
    return (value[rank / word_bits] >> (rank % word_bits) & 1) != 0;
}

bool Contributions::only(const Word* value, int rank) const {
    if (in_order_) return *value == interval(rank, rank + 1);
    for (int i = 0; i < words_; ++i) {
        const Word expected = i == rank / word_bits ? Word{1} << (rank % word_bits) : 0;
        if (value[i] != expected) return false;
    }
    return true;
}

bool Contributions::all(const Word* value) const {
    if (in_order_) return *value == interval(0, ranks_);
    for (int i = 0; i + 1 < words_; ++i) {
        if (value[i] != ~Word{0}) return false;
    }
    const int rest = ranks_ - (words_ - 1) * word_bits;
    return value[words_ - 1] == ~Word{0} >> (word_bits - rest);
}

bool Contributions::combine(Word* value, const Word* received, bool received_stands_left) const {
    if (in_order_) {
        const Word left = received_stands_left ? *received : *value;
        const Word right = received_stands_left ? *value : *received;
        if (end_of(left) != first_of(right)) return false;
        *value = interval(first_of(left), end_of(right));
        return true;
    }
    Word twice = 0;
    for (int i = 0; i < words_; ++i) twice |= value[i] & received[i];
    if (twice != 0) return false;
    for (int i = 0; i < words_; ++i) value[i] |= received[i];
    return true;
}

int Contributions::lowest(const Word* value) const {
    if (nothing(value)) return -1;
    if (in_order_) return static_cast<int>(first_of(*value));
    int word = 0;
    while (value[word] == 0) ++word;
    return word * word_bits + std::countr_zero(value[word]);
}

std::string Contributions::text(const Word* value) const {
    if (nothing(value)) return "nothing";
    std::string list;
    for (int rank = 0; rank < ranks_; ++rank) {
        if (!holds(value, rank)) continue;
        int last = rank;
        while (last + 1 < ranks_ && holds(value, last + 1)) ++last;
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
        if (last > rank) list += "-" + std::to_string(last);
        rank = last;
    }
    return "ranks " + list;
}

}  // namespace coll_topo::verify
