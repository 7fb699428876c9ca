// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::tool {

/// A value to write as JSON, which is kept as its text. By default null.
class JsonValue {
public:
    JsonValue() = default;
    JsonValue(bool value) : text_(value ? "true" : "false") {}
    JsonValue(int value) : text_(std::to_string(value)) {}
    JsonValue(std::int64_t value) : text_(std::to_string(value)) {}
    JsonValue(std::uint64_t value) : text_(std::to_string(value)) {}
    JsonValue(double value);
    JsonValue(const char* value) : JsonValue(std::string_view(value)) {}
    JsonValue(const std::string& value) : JsonValue(std::string_view(value)) {}
    JsonValue(std::string_view value) : kind_(Kind::words), text_(value) {}
    template <typename Value>
    JsonValue(const std::vector<Value>& values) : text_("[") {
        for (const Value& value : values) append(JsonValue(value).json());
        text_ += "]";
    }

    using Member = std::pair<std::string_view, JsonValue>;
    static JsonValue object(std::initializer_list<Member> members);

    /// Adds a member to an object.
    void add(std::string_view name, const JsonValue& value);

    bool is_null() const { return text_ == "null" && !is_words(); }
    bool is_words() const { return kind_ == Kind::words; }

    /// Words as they are, all else as in JSON.
    const std::string& text() const { return text_; }
    std::string json() const { return is_words() ? quoted(text_) : text_; }

    /// A string of JSON.
    static std::string quoted(std::string_view words);

private:
    enum class Kind { words, other };
    void append(const std::string& item);

    Kind kind_ = Kind::other;
    std::string text_ = "null";
};

}  // namespace coll_topo::tool
