// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/topology_edit.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/tool/output/units.hpp"

#include <algorithm>
#include <cmath>

namespace coll_topo::tool {

namespace {

/// What takes the place of `size` characters of the text.
struct Replacement {
    std::size_t offset;
    std::size_t size;
    std::string text;
};

/// Finds characters of the text by line and column.
class LineTable {
public:
    explicit LineTable(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') begins_.push_back(i + 1);
        }
    }
    std::size_t offset(const SourceLocation& where) const {
        return begins_[static_cast<std::size_t>(where.line) - 1] + static_cast<std::size_t>(where.column) - 1;
    }

private:
    std::vector<std::size_t> begins_ = {0};
};

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

std::string_view name_of(StatementKind kind) {
    const auto grammar = topology_grammar().statements;
    return std::find_if(grammar.begin(), grammar.end(), [&](const auto& rule) { return rule.kind == kind; })->name;
}

bool may_be_added(StatementKind kind) {
    return kind == StatementKind::host_link || kind == StatementKind::machine;
}

class Editor {
public:
    Editor(std::string_view text, const std::string& name) : text_(text), name_(name), lines_(text) {}

    Expected<std::string> apply(const std::vector<KeyEdit>& edits) {
        RETURN_IF_ERROR(source_.read_text(text_, name_));
        for (int i = 0; i < source_.lines(); ++i) {
            ASSIGN_OR_RETURN(const auto statement, parse_statement(source_.line(i), topology_grammar()));
            RETURN_IF_ERROR(edit(statement, source_.line(i), edits));
        }
        for (const KeyEdit& one : edits) {
            if (seen_[one.kind] == 0 && may_be_added(one.kind)) add_to_new_line(one);
        }
        return result();
    }

private:
    Expected<void> edit(const Statement& statement, const Located& line, const std::vector<KeyEdit>& edits) {
        std::string added;
        for (const KeyEdit& one : edits) {
            if (one.kind != statement.rule->kind) continue;
            ++seen_[one.kind];
            RETURN_IF_ERROR(check_is_here(statement.word));
            if (!statement.has(one.key)) {
                added += ' ' + std::string(one.key) + '=' + one.value;
                continue;
            }
            const Located value = statement.value(one.key);
            const std::size_t offset = lines_.offset(value.where());
            if (text_.substr(offset, value.text.size()) != value.text) {
                return value.error("cannot replace a value that is continued on the next line, or has a '\\'");
            }
            replacements_.push_back({offset, value.text.size(), one.value});
        }
        if (!added.empty()) {
            const std::size_t last = lines_.offset(line.part(line.text.size() - 1).where());
            replacements_.push_back({last + 1, 0, added});
        }
        return {};
    }

    Expected<void> check_is_here(const Located& word) const {
        if (word.where().file == name_) return {};
        return word.error(std::string(word.text) + " is to be changed, but stands in an included file; move it to " +
                          name_);
    }

    void add_to_new_line(const KeyEdit& edit) {
        std::string& line = new_lines_[edit.kind];
        if (line.empty()) line = name_of(edit.kind);
        line += ' ' + std::string(edit.key) + '=' + edit.value;
    }

    std::string result() {
        std::sort(replacements_.begin(), replacements_.end(),
                  [](const Replacement& a, const Replacement& b) { return a.offset > b.offset; });
        std::string text(text_);
        for (const Replacement& one : replacements_) text.replace(one.offset, one.size, one.text);
        if (!new_lines_.empty() && !text.empty() && text.back() != '\n') text += '\n';
        // A last line that ends in '\' would go on in the first new one.
        const std::size_t last_line = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
        if (!new_lines_.empty() && text.find('\\', last_line) != std::string::npos) text += '\n';
        for (const auto& [kind, line] : new_lines_) {
            text += line + '\n';
        }
        return text;
    }

    std::string_view text_;
    const std::string& name_;
    LineTable lines_;
    SourceText source_;
    std::vector<Replacement> replacements_;
    std::map<StatementKind, int> seen_;
    std::map<StatementKind, std::string> new_lines_;
};

}  // namespace

Expected<std::map<StatementKind, int>> count_statements(std::string_view text, const std::string& name) {
    SourceText source;
    RETURN_IF_ERROR(source.read_text(text, name));
    std::map<StatementKind, int> counts;
    for (int i = 0; i < source.lines(); ++i) {
        ASSIGN_OR_RETURN(const auto statement, parse_statement(source.line(i), topology_grammar()));
        ++counts[statement.rule->kind];
    }
    return counts;
}

Expected<std::string> edit_topology(std::string_view text, const std::string& name, const std::vector<KeyEdit>& edits) {
    return Editor(text, name).apply(edits);
}

std::string bandwidth_value(double bytes_per_second) {
    return without_blanks(bandwidth_text(std::max(bytes_per_second, 0.01)));
}

std::string latency_value(double seconds) {
    constexpr double shortest = 1e-11;  // shorter ones would be written with an exponent
    return without_blanks(duration_text(seconds < shortest ? 0 : seconds));
}

}  // namespace coll_topo::tool
