// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/json_value.hpp"

#include <nlohmann/json.hpp>

namespace coll_topo::tool {

JsonValue::JsonValue(double value) : text_(nlohmann::json(value).dump()) {}

JsonValue JsonValue::object(std::initializer_list<Member> members) {
    JsonValue object;
    object.text_ = "{}";
    for (const auto& [name, value] : members) object.add(name, value);
    return object;
}

void JsonValue::add(std::string_view name, const JsonValue& value) {
    text_.pop_back();
    append(quoted(name) + ":" + value.json());
    text_ += "}";
}

/// To the text of an object or array that is not closed.
void JsonValue::append(const std::string& item) {
    if (text_.size() > 1) text_ += ",";
    text_ += item;
}

std::string JsonValue::quoted(std::string_view words) {
    return nlohmann::json(words).dump();
}

}  // namespace coll_topo::tool
