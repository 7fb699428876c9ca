// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/output/json_writer.hpp"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace coll_topo::tool {

/// How a command writes its result.
enum class Format { text, json, csv };

/// A value: as programs read it, and as people do (empty: the same).
struct Cell {
    Cell(const char* value) : value(value) {}
    Cell(std::string value) : value(std::move(value)) {}
    Cell(std::string_view value) : value(value) {}
    Cell(int value) : value(value) {}
    Cell(std::int64_t value) : value(value) {}
    Cell(double value, std::string text = {}) : value(value), text(std::move(text)) {}
    Cell(JsonValue value, std::string text = {}) : value(std::move(value)), text(std::move(text)) {}

    JsonValue value;
    std::string text = {};
};

/// Rows of cells that a command writes as aligned text, as CSV with a header line, or as JSON objects.
class Table {
public:
    struct Column {
        std::string key;    ///< in CSV and JSON
        std::string title;  ///< in text
    };
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// As many cells as columns.
    void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
    std::size_t rows() const { return rows_.size(); }

    void write_text(std::ostream& out) const;
    /// One row with the titles on the left, for a table that is a single record.
    void write_record(std::ostream& out) const;
    void write_csv(std::ostream& out) const;
    /// The rows as array `name`.
    void write_json(JsonWriter& json, std::string_view name) const;
    /// The only row as members of the object.
    void write_json_record(JsonWriter& json) const;

private:
    JsonValue object(const std::vector<Cell>& row) const;

    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace coll_topo::tool
