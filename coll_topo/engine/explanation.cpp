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

const char* coll_topo_communicator::explain(const Request& request, bool fixed_order) {
    Chosen& chosen = chosen_[index_of(request.call)];
    bool& explained = chosen.explained[request.commutative ? 1 : 0][fixed_order ? 1 : 0];
    if (detail_ == 0 || explained) return nullptr;
    explained = true;
    const FloatingEnvironment environment;
    Request typical = request;
    typical.root = 0;
    Preferences preferences = preferences_for(request.call, fixed_order);
    preferences.predict_all = true;
    const auto decisions = decide_for_all_sizes(grid_, typical, preferences, chosen.rules);
    const auto detail = static_cast<Detail>(std::min(detail_, static_cast<int>(Detail::candidates)));
    explanation_ = call_text(typical, pieces_of(request.call, grid_)) + (fixed_order ? ", in a fixed order" : "") +
                   "\n" + choices_text(request.call, decisions, detail, 2);
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
