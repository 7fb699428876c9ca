// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/text_changes.hpp"

#include <algorithm>

namespace coll_topo::importing {

TextChanges::TextChanges(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') begins_.push_back(i + 1);
    }
}

std::size_t TextChanges::offset(const SourceLocation& where) const {
    return begins_[static_cast<std::size_t>(where.line) - 1] + static_cast<std::size_t>(where.column) - 1;
}

std::size_t TextChanges::end_of_line(std::size_t offset) const {
    return std::min(text_.find('\n', offset), text_.size());
}

void TextChanges::add_lines_after(std::size_t offset, const std::string& lines) {
    if (lines.empty()) return;
    auto& change = changes_[end_of_line(offset)];
    change.first = std::max(change.first, end_of_line(offset));
    change.second += "\n" + lines.substr(0, lines.size() - 1);
}

std::string TextChanges::result() const {
    std::string text;
    std::size_t at = 0;
    for (const auto& [begin, change] : changes_) {
        text.append(text_.substr(at, begin - at)).append(change.second);
        at = std::max(at, change.first);
    }
    return text.append(text_.substr(at));
}

}  // namespace coll_topo::importing
