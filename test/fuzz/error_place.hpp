// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <string>
#include <string_view>

namespace coll_topo::fuzz {

/// How the text is called. No file can be included from its directory, which does not exist.
inline const std::string text_name = "/nonexistent/text.conf";

/// What is wrong with an error about a text: it must have a message, and a line and column of the text. The column may
/// be one past the end of the line; where `line_only`, there may be none.
inline std::string misplaced(const Error& error, std::string_view text, bool line_only = true) {
    if (error.message.empty()) return "an error without a message";
    const SourceLocation& where = error.where;
    if (where.file != text_name) return {};  // of a file that was included
    std::string_view rest = text;
    for (int line = 1; line < where.line; ++line) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return "an error behind the last line: " + error.text();
        rest.remove_prefix(end + 1);
    }
    if (where.line < 1) return "an error without a line: " + error.text();
    if (where.column < (line_only ? 0 : 1)) return "an error without a column: " + error.text();
    const auto length = static_cast<int>(rest.substr(0, rest.find('\n')).size());
    return where.column <= length + 1 ? "" : "an error behind the end of its line: " + error.text();
}

}  // namespace coll_topo::fuzz
