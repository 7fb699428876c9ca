// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/table.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

std::string shown(const Cell& cell) {
    return cell.text.empty() ? cell.value.text() : cell.text;
}

/// Quoted where it must be; nothing for null.
std::string csv_field(const JsonValue& value) {
    if (value.is_null()) return "";
    std::string text = value.text();
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    for (std::size_t quote = text.find('"'); quote != std::string::npos; quote = text.find('"', quote + 2)) {
        text.insert(quote, 1, '"');
    }
    return '"' + text + '"';
}

}  // namespace

/// Numbers to the right, words to the left.
void Table::write_text(std::ostream& out) const {
    std::vector<std::size_t> widths;
    std::vector<char> to_right;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        std::size_t width = columns_[column].title.size();
        bool words = false;
        for (const auto& row : rows_) {
            width = std::max(width, shown(row[column]).size());
            words = words || row[column].value.is_words();
        }
        widths.push_back(width);
        to_right.push_back(!words);
    }
    const auto write_line = [&](auto&& text_of) {
        std::string line;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const std::string text = text_of(column);
            const std::size_t width = widths[column];
            line += to_right[column] ? fmt::format("{:>{}}", text, width) : fmt::format("{:<{}}", text, width);
            line += "  ";
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
    };
    write_line([&](std::size_t column) { return columns_[column].title; });
    for (const auto& row : rows_) write_line([&](std::size_t column) { return shown(row[column]); });
}

void Table::write_record(std::ostream& out) const {
    std::size_t width = 0;
    for (const Column& column : columns_) width = std::max(width, column.title.size());
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        out << fmt::format("{:<{}}  {}\n", columns_[column].title, width, shown(rows_.at(0)[column]));
    }
}

void Table::write_csv(std::ostream& out) const {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        out << (column > 0 ? "," : "") << columns_[column].key;
    }
    out << "\n";
    for (const auto& row : rows_) {
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            out << (column > 0 ? "," : "") << csv_field(row[column].value);
        }
        out << "\n";
    }
}

JsonValue Table::object(const std::vector<Cell>& row) const {
    JsonValue object = JsonValue::object({});
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        object.add(columns_[column].key, row[column].value);
    }
    return object;
}

void Table::write_json(JsonWriter& json, std::string_view name) const {
    json.begin_array(name);
    for (const auto& row : rows_) json.element(object(row));
    json.end_array();
}

void Table::write_json_record(JsonWriter& json) const {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        json.member(columns_[column].key, rows_.at(0)[column].value);
    }
}

}  // namespace coll_topo::tool
