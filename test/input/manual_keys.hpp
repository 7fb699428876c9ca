// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/input/statement.hpp"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace coll_topo::test {

/// The keys of each statement, those that may be left out in brackets: {"Route", {"At", "To", "Via", "[Cable]"}}.
using KeysOfStatements = std::map<std::string, std::set<std::string>>;

inline KeysOfStatements keys_of_grammar(const Grammar& grammar) {
    KeysOfStatements result;
    for (const StatementRule& rule : grammar.statements) {
        std::set<std::string>& keys = result[std::string(rule.name)];
        for (const KeyRule& key : rule.keys) {
            const std::string name(key.name);
            keys.insert(key.need == Need::always ? name : "[" + name + "]");
        }
    }
    return result;
}

/// What a manual page says: the lines between `.It Xo` and `.Xc`, of which the first names the statement.
inline KeysOfStatements keys_of_manual_page(const std::string& path) {
    KeysOfStatements result;
    std::ifstream page(path);
    std::set<std::string>* keys = nullptr;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        std::istringstream words(line);
        std::string macro, name;
        words >> macro;
        if (line == ".It Xo" || line == ".Xc") {
            inside = line == ".It Xo";
            keys = nullptr;
        }
        if (!inside || (macro != ".Li" && macro != ".Op")) continue;
        if (macro == ".Op") words >> macro;
        words >> name;
        name = name.substr(0, name.find('='));
        if (!keys) {
            keys = &result[name];
        } else {
            keys->insert(line.starts_with(".Op") ? "[" + name + "]" : name);
        }
    }
    return result;
}

}  // namespace coll_topo::test
