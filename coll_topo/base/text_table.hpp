// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

/// Letters of a line of what people read. Longer ones are broken where words allow it.
inline constexpr std::size_t line_width = 100;

/// Words in lines of at most `width` letters; a longer word, such as a list of hosts, is broken after commas, or else
/// has a line of its own. At least one line.
std::vector<std::string> lines_of_words(std::string_view text, std::size_t width);

/// Words in lines of at most line_width, each ended by a newline. The first begins with the blanks of the text, all
/// others with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent);

/// Rows of cells in aligned columns, for people. In a table wider than a line the last column is broken into lines, if
/// it has words; else the columns are divided into tables below each other, each with the first columns again.
class TextTable {
public:
    struct Column {
        std::string title;
        bool to_right = false;  ///< numbers
    };
    /// `repeated`: the columns at the left that say what a row is about.
    explicit TextTable(std::vector<Column> columns, std::size_t indent = 0, std::size_t repeated = 1)
        : columns_(std::move(columns)), indent_(indent), repeated_(repeated) {}

    /// As many cells as columns.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    /// The titles and rows, each ended by a newline.
    std::string text() const;

private:
    std::vector<Column> columns_;
    std::size_t indent_, repeated_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace coll_topo
