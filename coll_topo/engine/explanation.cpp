// SPDX-License-Identifier: BSD-3-Clause
// What a communicator says of its choices to people: coll_topo_verbose.
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/engine/communicator.hpp"
#include "coll_topo/engine/guard.hpp"
#include "coll_topo/reduction/floating_environment.hpp"
#include "coll_topo/select/choice_text.hpp"
#include "coll_topo/select/rule_decision.hpp"

#include <algorithm>

using namespace coll_topo;

namespace {

/// Of sizes up to this class, below 2 MiB, all decisions are explained at once. Those of longer vectors take nine
/// tenths of the time that all of them would: each class has its own table, in its first call.
constexpr int last_class_at_once = 21;

SizeClasses explained_with(const Request& request) {
    const int own = size_class(static_cast<std::size_t>(request.bytes));
    return !has_size(request.call) || own <= last_class_at_once ? SizeClasses{1, last_class_at_once}
                                                                : SizeClasses{own, own};
}

/// ", below 2 MiB"; ", from 64 MiB to 128 MiB"; nothing for calls without sizes.
std::string sizes_text(Call call, SizeClasses classes) {
    if (!has_size(call)) return "";
    const std::string end = bytes_text(representative_bytes(classes.last + 1));
    return classes.first == 1 ? ", below " + end
                              : ", from " + bytes_text(representative_bytes(classes.first)) + " to " + end;
}

}  // namespace

const char* coll_topo_communicator::explain(const Request& request, bool fixed_order) {
    if (detail_ == 0) return nullptr;
    Chosen& chosen = chosen_[index_of(request.call)];
    auto& explained = chosen.explained[request.commutative ? 1 : 0][fixed_order ? 1 : 0];
    const SizeClasses classes = explained_with(request);
    if (explained.test(classes.last)) return nullptr;
    explained.set(classes.last);
    const FloatingEnvironment environment;
    Request typical = request;
    typical.root = 0;
    Preferences preferences = preferences_for(request.call, fixed_order);
    const auto detail = static_cast<Detail>(std::min(detail_, static_cast<int>(Detail::candidates)));
    preferences.predict_all = detail >= Detail::runners_up;
    const auto decisions = decide_for_sizes(classes, grid_, typical, preferences, chosen.rules);
    explanation_ = call_text(typical, pieces_of(request.call, grid_)) + (fixed_order ? ", in a fixed order" : "") +
                   sizes_text(request.call, classes) + "\n" + choices_text(request.call, decisions, detail, 2);
    return explanation_.c_str();
}

const std::string& coll_topo_communicator::explain_left() {
    std::vector<std::pair<std::string, std::string>> groups;  // why, and which calls
    for (int index = 0; detail_ > 0 && index < call_count; ++index) {
        const auto call = static_cast<Call>(index);
        const LeftToPrevious all = left(call);
        const bool may_be_called = !is_neighborhood(call) || grid_.cartesian() != nullptr;
        if (all.below != LeftToPrevious::all || !may_be_called) continue;
        auto group = std::ranges::find(groups, all.why, &std::pair<std::string, std::string>::first);
        if (group == groups.end()) group = groups.insert(group, {all.why, ""});
        group->second += (group->second.empty() ? "" : ", ") + std::string(call_name(call));
    }
    explanation_.clear();
    for (const auto& [why, calls] : groups) {
        if (explanation_.empty()) explanation_ = "left to the previous module:\n";
        explanation_ += wrapped("  " + calls + " (" + why + ")", 4);
    }
    return explanation_;
}

void coll_topo_communicator_explain(coll_topo_communicator* communicator, int detail) {
    communicator->set_detail(detail);
}

const char* coll_topo_communicator_left(coll_topo_communicator* communicator) {
    const char* text = nullptr;
    guarded_planning(nullptr, 0, [&] {
        if (!communicator->explain_left().empty()) text = communicator->explain_left().c_str();
        return static_cast<int>(COLL_TOPO_OK);
    });
    return text;
}
