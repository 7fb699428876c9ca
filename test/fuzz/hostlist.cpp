// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/hostlist.hpp"

#include "test/fuzz/readers.hpp"

#include <vector>

namespace coll_topo::fuzz {

namespace {

/// What is read of longer lists is not looked at: that would only take long.
constexpr std::size_t most_kept = 1U << 16U;

Expected<std::vector<std::string>> names_of(std::string_view list, NameForm form) {
    std::vector<std::string> names;
    std::int64_t count = 0;
    const auto visit = [&](std::string_view name, const Located&) -> Expected<void> {
        if (++count <= static_cast<std::int64_t>(most_kept)) names.emplace_back(name);
        return count <= most_names ? Expected<void>() : failure("");
    };
    auto read = for_each_name(Located{list}, visit, form);
    if (!read) return tl::unexpected(read.error());
    return names;
}

std::string complaint_about(std::string_view list, NameForm form) {
    const auto names = names_of(list, form);
    if (!names)
        return names.error().message.empty() ? "more names than there may be, or an error without a message" : "";
    for (const std::string& name : *names) {
        if (name.empty()) return "an empty name";
        if (form == NameForm::plain && !check_name(Located{name})) return "a name that is none: " + name;
    }
    if (form != NameForm::plain || names->size() == most_kept) return {};
    const std::string text = hostlist_text(*names);
    const auto again = names_of(text, form);
    if (!again) return "cannot be read again: " + again.error().message + "\n" + text;
    return *again == *names ? "" : "other names when they are read again:\n" + text;
}

}  // namespace

std::string hostlist_complaint(std::string_view bytes) {
    std::string wrong = complaint_about(bytes, NameForm::plain);
    return wrong.empty() ? complaint_about(bytes, NameForm::with_coordinates) : wrong;
}

}  // namespace coll_topo::fuzz
