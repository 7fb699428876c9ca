// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/rules_file.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/select/rule_keys.hpp"

namespace coll_topo {

namespace {

constexpr int most_rules = 10000;

Expected<Rules> read_rules(const SourceText& source) {
    Rules rules;
    for (int index = 0; index < source.lines(); ++index) {
        ASSIGN_OR_RETURN(const auto statement, parse_statement(source.line(index), rules_grammar()));
        if (index == most_rules) {
            return statement.word.error("more than " + std::to_string(most_rules) + " rules");
        }
        ASSIGN_OR_RETURN(auto rule, read_rule(statement));
        rules.push_back(std::move(rule));
    }
    return rules;
}

}  // namespace

Expected<Rules> read_rules_file(const std::string& path) {
    SourceText source("file of rules");
    RETURN_IF_ERROR(source.read_file(path));
    return read_rules(source);
}

Expected<Rules> read_rules_text(std::string_view text, const std::string& name) {
    SourceText source("file of rules");
    RETURN_IF_ERROR(source.read_text(text, name));
    return read_rules(source);
}

}  // namespace coll_topo
