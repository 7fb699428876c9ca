// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/profile/located_json.hpp"

#include <algorithm>
#include <iterator>

namespace coll_topo::tool {

namespace {

using Json = nlohmann::json;

/// Characters, and how many of them have been read.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*read_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

private:
    const char* at_;
    std::size_t* read_;
};

}  // namespace

LocatedJson parse_located(std::string_view text) {
    LocatedJson parsed;
    std::size_t read = 0, unused = 0;
    std::string member;
    const auto note = [&](int depth, Json::parse_event_t event, Json& value) {
        if (depth == 1 && event == Json::parse_event_t::key) member = value.get<std::string>();
        if (depth != 2 || event != Json::parse_event_t::object_start) return true;
        if (member == "rows") parsed.places.rows.push_back(read - 1);
        if (member == "communicators") parsed.places.communicators.push_back(read - 1);
        return true;
    };
    parsed.json =
        Json::parse(CountingIterator(text.data(), &read), CountingIterator(text.data() + text.size(), &unused), note);
    return parsed;
}

SourceLocation location_of(std::string_view text, std::size_t at, const std::string& file) {
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const auto line = std::ranges::count(before, '\n');
    const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {file, static_cast<int>(line) + 1, static_cast<int>(before.size() - begin) + 1};
}

}  // namespace coll_topo::tool
