// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/table.hpp"

#include "coll_topo/base/text_table.hpp"

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
    std::vector<TextTable::Column> titles;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const bool words = std::ranges::any_of(rows_, [&](const auto& row) { return row[column].value.is_words(); });
        titles.push_back({columns_[column].title, !words});
    }
    TextTable text(std::move(titles));
    for (const auto& row : rows_) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) cells.push_back(shown(cell));
        text.add(std::move(cells));
    }
    out << text.text();
}

void Table::write_record(std::ostream& out) const {
    std::size_t width = 0;
    for (const Column& column : columns_) width = std::max(width, column.title.size());
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        out << wrapped(fmt::format("{:<{}}  {}", columns_[column].title, width, shown(rows_.at(0)[column])), width + 2);
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
