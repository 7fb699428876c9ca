// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/output/json_value.hpp"

#include <ostream>
#include <string_view>

namespace coll_topo::tool {

/// Writes one JSON object to a stream, member by member, so that it need not fit in memory: arrays have one element on
/// a line. Ends the object when destroyed.
class JsonWriter {
public:
    explicit JsonWriter(std::ostream& out) : out_(out) { out_ << "{"; }
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;
    ~JsonWriter() { out_ << "\n}\n"; }

    void member(std::string_view name, const JsonValue& value) {
        begin(name);
        out_ << value.json();
    }

    /// Starts an array; elements follow, then end_array().
    void begin_array(std::string_view name) {
        begin(name);
        out_ << "[";
        first_element_ = true;
    }
    void element(const JsonValue& value) {
        out_ << (first_element_ ? "\n  " : ",\n  ") << value.json();
        first_element_ = false;
    }
    void end_array() { out_ << "]"; }

private:
    void begin(std::string_view name) {
        out_ << (first_member_ ? "\n" : ",\n") << JsonValue::quoted(name) << ": ";
        first_member_ = false;
    }

    std::ostream& out_;
    bool first_member_ = true;
    bool first_element_ = true;
};

}  // namespace coll_topo::tool
