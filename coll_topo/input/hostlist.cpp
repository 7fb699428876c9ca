// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/hostlist.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <vector>

namespace coll_topo {

namespace {

constexpr std::size_t longest_name = 255;  // bytes; a DNS name has at most 253

struct Range {
    std::int64_t first;
    std::int64_t last;
    std::size_t digits;  // of a number, with leading zeros
};

/// Characters that stand for themselves, then a bracket with several numbers; the last part of an item has none.
struct Part {
    std::string literal;
    std::vector<Range> ranges;
};

bool is_name_character(char character, NameForm form) {
    constexpr std::string_view plain = "-_.:", of_coordinates = "(,)";
    return std::isalnum(static_cast<unsigned char>(character)) || plain.find(character) != std::string_view::npos ||
           (form == NameForm::with_coordinates && of_coordinates.find(character) != std::string_view::npos);
}

Expected<void> check_literal(const Located& literal, NameForm form) {
    for (std::size_t position = 0; position < literal.text.size(); ++position) {
        if (is_name_character(literal.text[position], form)) continue;
        return literal.part(position).error("character " + in_quotes(literal.text.substr(position, 1)) +
                                            " in a name; expected letters, digits, '-', '_', '.' or ':'");
    }
    return {};
}

Expected<std::int64_t> parse_number(const Located& number) {
    constexpr std::size_t most_digits = 18;  // always fits in 64 bits
    const auto is_digit = [](unsigned char character) { return std::isdigit(character) != 0; };
    if (number.text.empty() || !std::all_of(number.text.begin(), number.text.end(), is_digit)) {
        return number.error("expected a number in the brackets, found " + in_quotes(number.text));
    }
    if (number.text.size() > most_digits) return number.error("number with more than 18 digits in the brackets");
    std::int64_t value = 0;
    std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
    return value;
}

Expected<Range> parse_range(const Located& text) {
    const std::size_t dash = text.text.find('-');
    const Located first_text = text.part(0, dash);
    ASSIGN_OR_RETURN(const auto first, parse_number(first_text));
    Range range = {first, first, first_text.text.size()};
    if (dash == std::string_view::npos) return range;
    ASSIGN_OR_RETURN(const auto last, parse_number(text.part(dash + 1)));
    if (last < first) return text.error("range " + in_quotes(text.text) + " runs backwards");
    range.last = last;
    return range;
}

/// Cuts an item of a hostlist, such as rack[1-4]n[01-32], into parts. A bracket with one number is no part of its own:
/// hundreds of them would be gone through for each name.
Expected<std::vector<Part>> parse_item(const Located& item, NameForm form) {
    std::vector<Part> parts(1);
    for (Located rest = item; !rest.text.empty();) {
        const std::size_t open = std::min(rest.text.find('['), rest.text.size());
        RETURN_IF_ERROR(check_literal(rest.part(0, open), form));
        parts.back().literal += rest.text.substr(0, open);
        if (open == rest.text.size()) break;
        const std::size_t close = rest.text.find(']', open);
        if (close == std::string_view::npos) return rest.part(open).error("'[' without ']'");
        for (const Located& text : split(rest.part(open + 1, close - open - 1), ',')) {
            ASSIGN_OR_RETURN(const auto range, parse_range(text));
            parts.back().ranges.push_back(range);
        }
        if (const Range& first = parts.back().ranges[0]; parts.back().ranges.size() == 1 && first.first == first.last) {
            parts.back().literal += rest.text.substr(open + 1, first.digits);
            parts.back().ranges.clear();
        } else {
            parts.emplace_back();
        }
        rest = rest.part(close + 1);
    }
    return parts;
}

/// Cuts a list at the commas that are not in brackets or parentheses.
Expected<std::vector<Located>> split_list(const Located& list) {
    std::vector<Located> items;
    std::size_t begin = 0;
    std::size_t open = std::string_view::npos;
    bool parenthesis = false;
    for (std::size_t position = 0; position <= list.text.size(); ++position) {
        const char character = position < list.text.size() ? list.text[position] : ',';
        const bool inside = open != std::string_view::npos;
        if (character == '[' && inside) return list.part(position).error("'[' inside brackets");
        if (character == ']' && !inside) return list.part(position).error("']' without '['");
        if (character == '[') open = position;
        if (character == ']') open = std::string_view::npos;
        if (character == '(' || character == ')') parenthesis = character == '(';
        if (character != ',' || ((inside || parenthesis) && position < list.text.size())) continue;
        if (inside) return list.part(open).error("'[' without ']'");
        if (position == begin) return list.part(begin).error("expected a name, found nothing between the commas");
        items.push_back(list.part(begin, position - begin));
        begin = position + 1;
    }
    return items;
}

/// The number of names an item stands for, or more than `limit` if it is more than that.
std::int64_t count_names(const std::vector<Part>& parts, std::int64_t limit) {
    std::int64_t names = 1;
    for (const Part& part : parts) {
        if (part.ranges.empty()) continue;
        std::int64_t choices = 0;
        for (const Range& range : part.ranges) {
            choices += std::min(range.last - range.first + 1, limit + 1);
            if (choices > limit) return limit + 1;
        }
        names *= choices;
        if (names > limit) return limit + 1;
    }
    return names;
}

/// Gives the names of an item; `name` holds what the parts before `index` have made. Every bracket adds a digit, so
/// the length of a name also bounds the recursion.
Expected<void> expand(const std::vector<Part>& parts, std::size_t index, std::string& name, const Located& item,
                      const NameVisitor& visit) {
    if (name.size() > longest_name) return item.error("name of more than 255 characters");
    if (index == parts.size()) return visit(name, item);
    name += parts[index].literal;
    if (parts[index].ranges.empty()) return expand(parts, index + 1, name, item, visit);
    const std::size_t stem = name.size();
    for (const Range& range : parts[index].ranges) {
        for (std::int64_t number = range.first; number <= range.last; ++number) {
            char digits[24];
            const std::size_t size = std::to_chars(digits, digits + sizeof digits, number).ptr - digits;
            name.resize(stem);
            name.append(std::max(range.digits, size) - size, '0');
            name.append(digits, size);
            RETURN_IF_ERROR(expand(parts, index + 1, name, item, visit));
        }
    }
    return {};
}

/// Names that differ only in the number at their end, each one more than the one before; no digits: a single name.
struct Run {
    std::string_view stem, first, last;
};

Run run_of(std::string_view name) {
    constexpr std::size_t most_digits = 18;  // fit in 64 bits
    std::size_t stem = name.size();
    while (stem > 0 && name.size() - stem < most_digits && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
    return {name.substr(0, stem), name.substr(stem), name.substr(stem)};
}

/// Whether `name` is what a range gives after `run`: as many digits as the first number, filled up with zeros.
bool continues(const Run& run, const Run& name) {
    if (name.stem != run.stem || run.last.empty() || name.first.empty()) return false;
    std::string next = std::to_string(std::stoll(std::string(run.last)) + 1);
    if (next.size() < run.first.size()) next.insert(0, run.first.size() - next.size(), '0');
    return next == name.first;
}

std::vector<Run> runs_of(const std::vector<std::string>& names) {
    std::vector<Run> runs;
    for (const std::string& name : names) {
        const Run one = run_of(name);
        if (!runs.empty() && continues(runs.back(), one)) {
            runs.back().last = one.last;
        } else {
            runs.push_back(one);
        }
    }
    return runs;
}

}  // namespace

Expected<void> for_each_name(const Located& list, const NameVisitor& visit, NameForm form) {
    ASSIGN_OR_RETURN(const auto items, split_list(list));
    std::int64_t names = 0;
    for (const Located& item : items) {
        ASSIGN_OR_RETURN(const auto parts, parse_item(item, form));
        names += count_names(parts, most_names);
        if (names > most_names) return item.error("more than " + std::to_string(most_names) + " names in a list");
        std::string name;
        RETURN_IF_ERROR(expand(parts, 0, name, item, visit));
    }
    return {};
}

Expected<void> check_name(const Located& name) {
    if (name.text.size() > longest_name) return name.error("name of more than 255 characters");
    return check_literal(name, NameForm::plain);
}

std::string hostlist_text(const std::vector<std::string>& names) {
    const std::vector<Run> runs = runs_of(names);
    std::string text;
    for (std::size_t i = 0; i < runs.size();) {
        std::size_t end = i + 1;
        while (end < runs.size() && !runs[i].first.empty() && !runs[end].first.empty() &&
               runs[end].stem == runs[i].stem) {
            ++end;
        }
        std::string numbers;
        for (std::size_t run = i; run < end; ++run) {
            numbers += (run > i ? "," : "") + std::string(runs[run].first);
            if (runs[run].last != runs[run].first) numbers += "-" + std::string(runs[run].last);
        }
        const bool one_name = end == i + 1 && runs[i].last == runs[i].first;
        text += (i > 0 ? "," : "") + std::string(runs[i].stem) + (one_name ? numbers : "[" + numbers + "]");
        i = end;
    }
    return text;
}

}  // namespace coll_topo
