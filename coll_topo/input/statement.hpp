// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"
#include "coll_topo/input/source_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace coll_topo {

/// `Include FILE` is not a statement: SourceText replaces it by the text of the file.
inline constexpr std::string_view include_keyword = "Include";

enum class StatementKind {
    switch_name,
    torus_name,
    node_name,
    link,
    route,
    latin_square_name,
    full_mesh_name,
    host_link,
    host_address,
    machine,
    rule,
    foreign  ///< of another program's file; these are told apart by their names
};
/// Whether a statement must give a key.
enum class Need {
    optional,
    always,
    one_of,  ///< at least one of the keys of the statement that have this
};

/// A key of a statement, as it is written.
struct KeyRule {
    std::string_view name;
    Need need = Need::optional;
};

/// A row of the grammar.
struct StatementRule {
    StatementKind kind;
    std::string_view name;
    bool named;                     ///< written Name=VALUE; if not, the word stands alone
    std::span<const KeyRule> keys;  ///< at most Statement::most_keys
};

/// A first word of files of another kind, and "RingName is of ..." what kind.
struct ForeignWord {
    std::string_view word;
    std::string_view remark;
};

/// What the parser accepts, and what its messages offer.
struct Grammar {
    std::span<const StatementRule> statements;
    std::span<const ForeignWord> foreign_words;
};

/// One statement: the keys it may and must have, each at most once; the values are not yet looked at.
struct Statement {
    static constexpr std::size_t most_keys = 10;

    const StatementRule* rule = nullptr;
    Located word;                                         ///< its first word
    Located name;                                         ///< after the `=` of a named statement
    std::array<std::string_view, most_keys> values = {};  ///< in the order of rule->keys; no data: not given

    bool has(std::string_view key) const { return value(key).text.data() != nullptr; }

    /// The value of a key that the rule has, spelled as there. Its text has no data if the key is not given.
    Located value(std::string_view key) const;
};

/// Reads one line of a file by its grammar.
Expected<Statement> parse_statement(const Located& line, const Grammar& grammar);

}  // namespace coll_topo
