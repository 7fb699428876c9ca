// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/input/statement.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::importing {

/// Changes of a text by the places of its characters. The text must outlive them.
class TextChanges {
public:
    explicit TextChanges(std::string_view text);

    /// The place of a line and column, and that after a piece of the text.
    std::size_t offset(const SourceLocation& where) const;
    std::size_t end_of(const Located& piece) const { return offset(piece.part(piece.text.size() - 1).where()) + 1; }

    void replace(std::size_t begin, std::size_t end, std::string by) { changes_[begin] = {end, std::move(by)}; }
    /// Adds lines after the one with this character.
    void add_lines_after(std::size_t offset, const std::string& lines);

    std::string result() const;

private:
    std::size_t end_of_line(std::size_t offset) const;

    std::string_view text_;
    std::vector<std::size_t> begins_ = {0};                               // of lines
    std::map<std::size_t, std::pair<std::size_t, std::string>> changes_;  // begin -> end, text
};

}  // namespace coll_topo::importing
