// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/rules_grammar.hpp"

#include <iterator>

namespace coll_topo {

namespace {

constexpr KeyRule rule_keys[] = {{Key::collective, true},  {Key::bytes, false},          {Key::ranks, false},
                                 {Key::hosts, false},      {Key::ranks_per_host, false}, {Key::shape, false},
                                 {Key::algorithm, true},   {Key::lanes, false},          {Key::segments, false},
                                 {Key::aggregators, false}};
static_assert(std::size(rule_keys) <= Statement::most_keys);

constexpr StatementRule statements[] = {{StatementKind::rule, "Rule", false, rule_keys}};

constexpr std::string_view topology = "a topology file, see coll-topo.conf(5)";
constexpr ForeignWord foreign_words[] = {{"TorusName", topology},       {"NodeName", topology},
                                         {"SwitchName", topology},      {"Link", topology},
                                         {"LatinSquareName", topology}, {"FullMeshName", topology}};

constexpr Grammar grammar = {statements, foreign_words};

}  // namespace

const Grammar& rules_grammar() {
    return grammar;
}

}  // namespace coll_topo
