// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coll_topo {

/// Text of a file as messages show it: in quotes, cut when long, bytes that are not printable in hexadecimal.
std::string in_quotes(std::string_view text);

/// "0x0a".
std::string hexadecimal(char byte);

/// Whether two words are the same but for the case of their letters.
bool same_word(std::string_view a, std::string_view b);

/// That of `known` which a word is nearly, or nothing.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

/// What to do about a word that is none of `known`: "did you mean Nodes?" if one is near, else "expected A, B or C".
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace coll_topo
