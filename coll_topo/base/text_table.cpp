// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/text_table.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo {
namespace {

constexpr std::size_t gap = 2;              // between columns
constexpr std::size_t least_to_break = 16;  // a narrower column of broken lines is hard to read

/// As lines_of_words; the first line has another width.
std::vector<std::string> broken(std::string_view text, std::size_t first_width, std::size_t width) {
    std::vector<std::string> lines = {""};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const bool ends_at_blank = end < text.size();
        const std::size_t room = lines.size() > 1 ? width : first_width;
        if (!lines.back().empty() && lines.back().size() + 1 + end > room) {
            lines.emplace_back();
            continue;
        }
        if (!lines.back().empty()) lines.back() += ' ';
        const std::size_t comma = end > room ? text.rfind(',', room - 1) : std::string_view::npos;
        if (comma != std::string_view::npos) {
            lines.back() += text.substr(0, comma + 1);
            text.remove_prefix(comma + 1);
            lines.emplace_back();
            continue;
        }
        lines.back() += text.substr(0, end);
        text.remove_prefix(end + (ends_at_blank ? 1 : 0));
    }
    return lines;
}

void end_line(std::string& text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text += '\n';
}

/// Some of the columns of a table, side by side.
class Block {
public:
    Block(const std::vector<TextTable::Column>& all, const std::vector<std::size_t>& widths, std::size_t indent,
          std::vector<std::size_t> shown)
        : all_(all), widths_(widths), indent_(indent), shown_(std::move(shown)) {
        width_ = indent_ + gap * (shown_.size() - 1);
        for (const std::size_t column : shown_) width_ += widths_[column];
    }

    /// Whether lines get no longer than they should.
    bool fits() const { return width_ <= line_width || can_break(); }

    void add_line(const std::vector<std::string>& cells, std::string& text) const {
        text.append(indent_, ' ');
        for (const std::size_t column : shown_) {
            if (column == shown_.back() && width_ > line_width && can_break()) return add_broken(cells[column], text);
            const std::string padding(widths_[column] - cells[column].size(), ' ');
            text += all_[column].to_right ? padding + cells[column] : cells[column] + padding;
            text.append(gap, ' ');
        }
        end_line(text);
    }

private:
    std::size_t before_last() const { return width_ - widths_[shown_.back()]; }
    /// Titles stay whole.
    bool can_break() const {
        const TextTable::Column& last = all_[shown_.back()];
        return !last.to_right && before_last() + std::max(least_to_break, last.title.size()) <= line_width;
    }

    void add_broken(const std::string& cell, std::string& text) const {
        std::size_t padding = 0;
        for (const std::string& line : lines_of_words(cell, line_width - before_last())) {
            text.append(padding, ' ');
            text += line;
            end_line(text);
            padding = before_last();
        }
    }

    const std::vector<TextTable::Column>& all_;
    const std::vector<std::size_t>& widths_;
    std::size_t indent_, width_;
    std::vector<std::size_t> shown_;
};

}  // namespace

std::vector<std::string> lines_of_words(std::string_view text, std::size_t width) {
    return broken(text, width, width);
}

std::string wrapped(std::string_view text, std::size_t indent) {
    const std::size_t lead = std::min(text.find_first_not_of(' '), text.size());
    std::string all(text.substr(0, lead));
    for (const std::string& line : broken(text.substr(lead), line_width - lead, line_width - indent)) {
        if (all.size() > lead) all.append(indent, ' ');
        all += line;
        end_line(all);
    }
    return all;
}

std::string TextTable::text() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths, shown;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        titles.push_back(columns_[column].title);
        widths.push_back(titles.back().size());
        for (const auto& row : rows_) widths.back() = std::max(widths.back(), row[column].size());
        shown.push_back(column);
    }
    const auto block = [&](std::vector<std::size_t> of) { return Block(columns_, widths, indent_, std::move(of)); };
    std::vector<Block> blocks = {block(shown)};
    if (shown.size() > repeated_ && !blocks.back().fits()) {
        const std::vector<std::size_t> repeated(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(repeated_));
        blocks.clear();
        for (std::size_t next = repeated_; next < shown.size();) {
            std::vector<std::size_t> columns = repeated;
            columns.push_back(next++);
            for (; next < shown.size(); ++next) {
                columns.push_back(next);
                if (block(columns).fits()) continue;
                columns.pop_back();
                break;
            }
            blocks.push_back(block(columns));
        }
    }
    std::string text;
    for (const Block& one : blocks) {
        if (!text.empty()) text += '\n';
        one.add_line(titles, text);
        for (const auto& row : rows_) one.add_line(row, text);
    }
    return text;
}

}  // namespace coll_topo
