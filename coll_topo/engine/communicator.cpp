// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/communicator.hpp"

#include "coll_topo/engine/rules.hpp"
#include "coll_topo/reduction/floating_environment.hpp"
#include "coll_topo/select/close_look.hpp"
#include "coll_topo/select/prediction.hpp"
#include "coll_topo/select/previous_module.hpp"
#include "coll_topo/select/replayed_prediction.hpp"
#include "coll_topo/select/rule_decision.hpp"

#include <algorithm>
#include <utility>

using namespace coll_topo;

namespace {

bool writes_output(const Program& program) {
    return std::ranges::any_of(program.actions,
                               [](const Action& action) { return written_buffer(action) == Buffer::output; });
}

}  // namespace

coll_topo_communicator::coll_topo_communicator(Grid grid, int rank, const coll_topo_settings& settings,
                                               DecisionCache& decisions, const Placement& placement)
    : grid_(std::move(grid)),
      rank_(rank),
      settings_(settings),
      decision_cache_(decisions),
      basis_(std::in_place, placement, settings),
      summary_(grid_.summary()) {
    last_ways_.fill(-1);
    for (int call = 0; call < call_count; ++call) {
        Chosen& chosen = chosen_[call];
        if (settings_.rules != nullptr) {
            chosen.rules = RuleTable(settings_.rules->list, grid_, static_cast<Call>(call));
        }
        chosen.choices.resize(chosen.rules.ranges());
    }
}

bool coll_topo_communicator::must_be_planned(Call call) const {
    return settings_.reproducible != COLL_TOPO_ANY_ORDER && row_of(call).combines;
}

LeftToPrevious coll_topo_communicator::left(Call call) const {
    if (is_neighborhood(call)) {
        if (std::string why = why_no_neighborhood(call); !why.empty()) return {LeftToPrevious::all, std::move(why)};
    }
    if (settings_.algorithm[index_of(call)] >= 0 || must_be_planned(call)) return {};
    LeftToPrevious left =
        left_to_previous(grid_, schedule_of(call), chosen_[index_of(call)].rules, settings_.host_memory != 0);
    if (call == Call::barrier && left.below > 0) left.below = LeftToPrevious::all;  // there are no longer ones
    const bool typical_is_served = has_unequal_pieces(call) && left.below != LeftToPrevious::all;
    return typical_is_served ? LeftToPrevious() : left;
}

std::string coll_topo_communicator::why_no_neighborhood(Call call) const {
    std::string why;
    for (const Algorithm& algorithm : catalogue()) {
        if (!algorithm.serves(call)) continue;
        why = algorithm.refusal(grid_, {.collective = schedule_of(call)});
        if (why.empty()) return "";
    }
    return why;
}

coll_topo_plan* coll_topo_communicator::choose(const Request& request, bool fixed_order) {
    const auto bytes = static_cast<std::size_t>(request.bytes);
    Chosen& chosen = chosen_[index_of(request.call)];
    const int range = chosen.rules.range_of(bytes);
    if (chosen.choices[range] == nullptr) chosen.choices[range] = std::make_unique<Choices>();
    Choice& choice = (*chosen.choices[range])[size_class(bytes)][request.commutative ? 1 : 0][fixed_order ? 1 : 0];
    if (!choice.made) decide(request, range, fixed_order, choice);
    if (choice.algorithm == nullptr) return nullptr;
    return is_rooted(request.collective()) ? rooted_plan(choice, request) : choice.plan;
}

Preferences coll_topo_communicator::preferences_for(Call call, bool fixed_order) const {
    const int forced = fixed_order ? -1 : settings_.algorithm[index_of(call)];
    Preferences preferences;
    preferences.algorithm = forced < 0 ? nullptr : &catalogue()[forced].get();
    preferences.aggregators = settings_.aggregators;
    preferences.lanes = settings_.lanes;
    preferences.segments = settings_.segments;
    preferences.fixed_order = fixed_order;
    preferences.host_memory = settings_.host_memory != 0;
    preferences.never_defer = must_be_planned(call);
    preferences.compare_with_tuned = (settings_.compared_with_tuned >> static_cast<unsigned>(call) & 1U) != 0;
    return preferences;
}

void coll_topo_communicator::set_cartesian(Cartesian cartesian) {
    if (basis_) basis_->cartesian = cartesian.dimensions();
    grid_.set_cartesian(std::move(cartesian));
}

KnownDecisions& coll_topo_communicator::known_decisions() {
    if (basis_) known_decisions_ = decision_cache_.of(*basis_);
    basis_.reset();
    return *known_decisions_;
}

KnownDecisions::Answer coll_topo_communicator::decided(const KnownDecisions::Question& question) const {
    // Neither the size within its class nor the root decides, so that the choice can be kept.
    const Request typical{question.call, representative_bytes(question.size_class), question.commutative};
    const auto rules = chosen_[index_of(question.call)].rules.matching(question.range);
    const Decision decision =
        decide_by_rules(grid_, typical, preferences_for(question.call, question.fixed_order), rules);
    if (decision.chosen < 0) return {};
    const Candidate& chosen = decision.candidates[decision.chosen];
    return {chosen.algorithm, chosen.problem};
}

void coll_topo_communicator::decide(const Request& request, int range, bool fixed_order, Choice& choice) {
    const FloatingEnvironment environment;
    const KnownDecisions::Question question{request.call, range, size_class(static_cast<std::size_t>(request.bytes)),
                                            request.commutative, fixed_order};
    auto answer = known_decisions().find(question);
    if (!answer) {
        answer = decided(question);
        known_decisions().add(question, *answer);
    }
    choice.problem = answer->problem;
    if (answer->algorithm != nullptr && !is_rooted(request.collective())) {
        choice.plan = find_or_make(plans_, answer->algorithm, answer->problem)->get();
    }
    choice.algorithm = answer->algorithm;
    choice.made = true;
}

coll_topo_communicator::Plans::iterator coll_topo_communicator::find_or_make(Plans& plans, const Algorithm* algorithm,
                                                                             const Problem& problem) {
    const auto found = std::ranges::find_if(
        plans, [&](const auto& plan) { return plan->algorithm == algorithm && plan->problem == problem; });
    if (found != plans.end()) return found;
    plans.push_back(make(algorithm, problem));
    return plans.end() - 1;
}

std::unique_ptr<coll_topo_plan> coll_topo_communicator::make(const Algorithm* algorithm, const Problem& problem) {
    const FloatingEnvironment environment;
    Program program = algorithm->build(grid_, problem, rank_);
    const bool keeps_output = !writes_output(program);
    const bool in_order = is_rooted(problem.collective) && algorithm->in_order(grid_, problem);
    return std::unique_ptr<coll_topo_plan>(new coll_topo_plan{
        algorithm, problem, Plan(std::move(program), problem.collective, grid_.ranks(), rank_, settings_.segment_bytes),
        keeps_output, in_order, way_of(algorithm, problem)});
}

int coll_topo_communicator::way_of(const Algorithm* algorithm, const Problem& problem) {
    Problem rootless = problem;
    rootless.root = 0;
    const auto found = std::ranges::find_if(
        ways_, [&](const Way& way) { return way.algorithm == algorithm && way.problem == rootless; });
    if (found != ways_.end()) return static_cast<int>(found - ways_.begin());
    ways_.push_back({algorithm, rootless});
    return static_cast<int>(ways_.size()) - 1;
}

std::optional<double> coll_topo_communicator::predict(Call call, int way, double bytes) const {
    if (way >= 0) {
        const Way& used = ways_.at(way);
        const Prediction prediction(*used.algorithm, grid_, used.problem);
        const double seconds = prediction.seconds(used.problem.segments, bytes);
        if (call == Call::barrier) return seconds;
        return ReplayedPrediction(grid_).seconds({*used.algorithm, used.problem}, bytes).value_or(seconds);
    }
    Request request = request_for(call, pieces_of(call, grid_));
    if (has_size(call)) request.bytes = bytes;
    auto previous = predict_previous(grid_, request, preferences_for(call, false));
    if (!previous) return std::nullopt;
    CloseLook(grid_, request).predict(*previous);
    return previous->seconds;
}

coll_topo_plan* coll_topo_communicator::rooted_plan(const Choice& choice, const Request& request) {
    Problem problem = choice.problem;
    problem.root = request.root;
    const auto found = find_or_make(rooted_plans_, choice.algorithm, problem);
    coll_topo_plan* const plan = found->get();
    if (has_unequal_pieces(request.call) && !plan->ahead) plan->ahead = ahead_of(*plan, request.call);
    std::rotate(found, found + 1, rooted_plans_.end());
    if (rooted_plans_.size() > most_rooted_plans) forget_a_rooted_plan();
    // The choice was made for root 0. Another root can change the order of operands in a tree.
    return request.commutative || plan->in_order ? plan : nullptr;
}

coll_topo_plan::Ahead coll_topo_communicator::ahead_of(const coll_topo_plan& plan, Call call) {
    const FloatingEnvironment environment;
    // A message that is cut must be as long as its receiver thinks, which cells that go directly are not.
    const bool may_go_directly = settings_.algorithm[index_of(call)] < 0 && settings_.segment_bytes == 0;
    const SizesAhead sizes = sizes_ahead(*plan.algorithm, grid_, plan.problem, may_go_directly);
    coll_topo_plan::Ahead ahead{.short_bytes = sizes.room, .cells = nullptr, .answers = nullptr};
    if (sizes.algorithm == nullptr || sizes.algorithm == plan.algorithm) return ahead;
    Problem directly{.collective = plan.problem.collective, .root = plan.problem.root};
    ahead.cells = make(sizes.algorithm, directly);
    directly.collective = Collective::scatter;
    ahead.answers = make(sizes.algorithm, directly);
    return ahead;
}

void coll_topo_communicator::forget_a_rooted_plan() {
    // Not the last one, which is about to be used.
    const auto end = rooted_plans_.end() - 1;
    const auto unused = std::find_if(rooted_plans_.begin(), end, [](const auto& plan) { return plan->users == 0; });
    if (unused == end) return;
    for (auto& last : last_calls_) {
        if (last && last->second == unused->get()) last.reset();
    }
    rooted_plans_.erase(unused);
}
