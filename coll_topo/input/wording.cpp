// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/wording.hpp"

#include "coll_topo/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace coll_topo {

namespace {

char lower(char character) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
}

/// Insertions, deletions and changes of a letter that make one word of the other, without regard to case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string result = "'";
    for (const char character : text.substr(0, longest)) {
        const bool printable = character >= ' ' && character <= '~';
        result += printable ? std::string(1, character) : "\\x" + hexadecimal(character).substr(2);
    }
    if (text.size() > longest) result += "...";
    return result + "'";
}

std::string hexadecimal(char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    return {'0', 'x', digits[value / 16], digits[value % 16]};
}

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 40;  // no word of a topology file is that long
    std::string_view nearest;
    std::size_t distance = word.size() <= longest ? std::max<std::size_t>(1, word.size() / 3) + 1 : 0;
    for (const std::string_view candidate : known) {
        if (distance == 0) break;
        const std::size_t candidate_distance = edit_distance(word, candidate);
        if (candidate_distance >= distance) continue;
        distance = candidate_distance;
        nearest = candidate;
    }
    return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    const std::string_view nearest = nearest_word(word, known);
    if (!nearest.empty()) return "did you mean " + std::string(nearest) + "?";
    return "expected " + alternatives(known);
}

}  // namespace coll_topo
