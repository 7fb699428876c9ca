// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/statement.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <string>
#include <vector>

namespace coll_topo {

namespace {

/// A word, or Word=value, and how much of the line is behind it.
struct Field {
    Located word;
    Located value;
    bool has_value = false;
};

bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}
bool is_word(char character) {
    return std::isalnum(static_cast<unsigned char>(character)) || character == '_';
}

void skip_blanks(Located& rest) {
    std::size_t count = 0;
    while (count < rest.text.size() && is_blank(rest.text[count])) ++count;
    rest = rest.part(count);
}

/// Takes a value, in double quotes or up to the next blank.
Expected<Located> take_value(Located& rest, const Located& word) {
    skip_blanks(rest);
    if (rest.text.empty() || is_blank(rest.text[0])) {
        return word.error(std::string(word.text) + "= has no value");
    }
    if (rest.text[0] == '"') {
        const std::size_t end = rest.text.find('"', 1);
        if (end == std::string_view::npos) return rest.error("the quote is not closed on this line");
        const Located value = rest.part(1, end - 1);
        rest = rest.part(end + 1);
        if (value.text.empty()) return word.error(std::string(word.text) + "= has no value");
        if (!rest.text.empty() && !is_blank(rest.text[0])) return rest.error("expected a blank after the quote");
        return value;
    }
    std::size_t size = 0;
    while (size < rest.text.size() && !is_blank(rest.text[size])) ++size;
    const Located value = rest.part(0, size);
    rest = rest.part(size);
    return value;
}

/// Takes the next field of a line; `rest` is not blank.
Expected<Field> take_field(Located& rest) {
    std::size_t size = 0;
    while (size < rest.text.size() && is_word(rest.text[size])) ++size;
    Field field;
    field.word = rest.part(0, size);
    const Located start = rest;
    rest = rest.part(size);
    if (size > 0 && !rest.text.empty() && !is_blank(rest.text[0]) && rest.text[0] != '=') size = 0;
    if (size == 0) {
        const std::size_t end = std::min(start.text.find_first_of(" \t\r"), start.text.size());
        return start.error("expected Key=Value, found " + in_quotes(start.text.substr(0, end)));
    }
    Located ahead = rest;
    skip_blanks(ahead);
    if (ahead.text.empty() || ahead.text[0] != '=') return field;
    rest = ahead.part(1);
    ASSIGN_OR_RETURN(auto value, take_value(rest, field.word));
    field.value = value;
    field.has_value = true;
    return field;
}

tl::unexpected<Error> unknown_statement(const Located& word, const Grammar& grammar) {
    for (const ForeignWord& foreign : grammar.foreign_words) {
        if (!same_word(word.text, foreign.word)) continue;
        return word.error(std::string(foreign.word) + " is of " + std::string(foreign.remark));
    }
    std::vector<std::string_view> names;
    for (const StatementRule& rule : grammar.statements) names.push_back(rule.name);
    names.push_back(include_keyword);
    return word.error("unknown statement " + in_quotes(word.text) + "; " + suggestion(word.text, names));
}

tl::unexpected<Error> unknown_key(const StatementRule& rule, const Located& word) {
    std::vector<std::string_view> names;
    for (const KeyRule& key : rule.keys) names.push_back(key.name);
    return word.error(std::string(rule.name) + " has no key " + in_quotes(word.text) + "; " +
                      suggestion(word.text, names));
}

Expected<void> add_key(Statement& statement, const Field& field) {
    const std::span<const KeyRule> keys = statement.rule->keys;
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const KeyRule& rule) { return same_word(field.word.text, rule.name); });
    if (key == keys.end()) return unknown_key(*statement.rule, field.word);
    if (!field.has_value) return field.word.error(std::string(key->name) + " needs a value: Key=Value");
    std::string_view& value = statement.values[key - keys.begin()];
    if (value.data()) {
        const Located first = {value, field.word.source};
        return field.word.error(std::string(key->name) + "= is given twice; first at " + first.where().text());
    }
    value = field.value.text;
    return {};
}

Expected<Statement> start_statement(const Field& field, const Grammar& grammar) {
    const auto rule = std::ranges::find_if(
        grammar.statements, [&](const StatementRule& candidate) { return same_word(field.word.text, candidate.name); });
    if (rule == grammar.statements.end()) return unknown_statement(field.word, grammar);
    const std::string name(rule->name);
    if (rule->named && !field.has_value) return field.word.error(name + " needs a name: " + name + "=NAME");
    if (!rule->named && field.has_value) return field.word.error(name + " takes no value of its own, only keys");
    return Statement{&*rule, field.word, field.value};
}

Expected<void> check_needs(const Statement& statement) {
    const auto needs = [&](const std::string& keys) {
        return statement.word.error(std::string(statement.rule->name) + " needs " + keys);
    };
    std::vector<std::string> choice;
    bool chosen = false;
    for (const KeyRule& key : statement.rule->keys) {
        const std::string written = std::string(key.name) + "=";
        if (key.need == Need::always && !statement.has(key.name)) return needs(written);
        if (key.need != Need::one_of) continue;
        choice.push_back(written);
        chosen = chosen || statement.has(key.name);
    }
    if (chosen || choice.empty()) return {};
    return needs(alternatives(std::vector<std::string_view>(choice.begin(), choice.end())));
}

}  // namespace

Located Statement::value(std::string_view key) const {
    for (std::size_t index = 0; index < rule->keys.size(); ++index) {
        if (rule->keys[index].name == key) return {values[index], word.source};
    }
    assert(!"a key of the rule");
    return {};
}

Expected<Statement> parse_statement(const Located& line, const Grammar& grammar) {
    Located rest = line;
    ASSIGN_OR_RETURN(const auto first, take_field(rest));
    ASSIGN_OR_RETURN(auto statement, start_statement(first, grammar));

    for (skip_blanks(rest); !rest.text.empty(); skip_blanks(rest)) {
        ASSIGN_OR_RETURN(const auto field, take_field(rest));
        RETURN_IF_ERROR(add_key(statement, field));
    }
    RETURN_IF_ERROR(check_needs(statement));
    return statement;
}

}  // namespace coll_topo
