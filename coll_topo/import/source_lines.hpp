// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace coll_topo::importing {

inline constexpr std::string_view hexadecimal_digits = "0123456789abcdefABCDEF";

/// A line of a text, without its end.
struct SourceLine {
    std::string_view text;
    int number = 0;  ///< from 1
};

/// The lines of what another program has printed, one after the other. The text must outlive them.
class SourceLines {
public:
    SourceLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

    /// Moves to the next line; false at the end of the text. A carriage return at the end of a line is left out.
    bool next(SourceLine& line);

    const std::string& file() const { return file_; }

    /// The place of a piece of the line that next() gave last.
    SourceLocation where(std::string_view piece) const;
    SourceLocation line(int number) const { return {file_, number, 0}; }

private:
    std::string_view rest_;
    std::string_view current_;
    std::string file_;
    int number_ = 0;
};

/// The text of a file: at most 1 GiB. A byte order mark of UTF-8 at its beginning is left out. Fails on what is not
/// text, such as UTF-16.
Expected<std::string> read_source(const std::string& path);

/// The same checks for text that was not read from a file.
Expected<std::string_view> checked_source(std::string_view text, const std::string& name);

/// Takes the word at the beginning of a text, and the blanks before and after it.
std::string_view take_word(std::string_view& text);

std::string_view without_blanks_around(std::string_view text);

}  // namespace coll_topo::importing
