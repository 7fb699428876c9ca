// SPDX-License-Identifier: BSD-3-Clause
#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/select/rules.hpp"
#include "coll_topo/select/rules_file.hpp"
#include "coll_topo/tool/tune/rule_text.hpp"

namespace coll_topo::fuzz {

std::string rules_complaint(std::string_view bytes) {
    const auto rules = read_rules_text(bytes, text_name);
    if (!rules) return misplaced(rules.error(), bytes);
    for (const Error& remark : remarks_on(*rules)) {
        if (std::string wrong = misplaced(remark, bytes); !wrong.empty()) return wrong;
    }
    std::string text;
    for (const Rule& rule : *rules) {
        if (!rule.covers(rule)) return "a rule that does not cover itself: " + tool::rule_text(rule);
        text += tool::rule_text(rule) + '\n';
    }
    const auto again = read_rules_text(text, text_name);
    if (!again) return "cannot be read again: " + again.error().text() + "\n" + text;
    if (again->size() != rules->size() || digest_of(*again) != digest_of(*rules)) {
        return "other rules when they are read again:\n" + text;
    }
    return {};
}

}  // namespace coll_topo::fuzz
