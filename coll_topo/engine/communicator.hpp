// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/engine/encoded_reduction.hpp"
#include "coll_topo/engine/engine.h"
#include "coll_topo/engine/known_decisions.hpp"
#include "coll_topo/execute/executor.hpp"
#include "coll_topo/execute/piece_sizes.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/select/left_to_previous.hpp"
#include "coll_topo/select/rules.hpp"

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A chosen schedule with what it was chosen for.
struct coll_topo_plan {
    const coll_topo::Algorithm* algorithm;
    coll_topo::Problem problem;
    coll_topo::Plan plan;
    bool keeps_output;           ///< nothing is written to `output`
    bool in_order;               ///< of a collective with a root: operands are combined in rank order
    int way;                     ///< what serves it, whatever the root: index in ways()
    std::atomic<int> users = 0;  ///< runs under way that others drive: it must stay
    /// Of calls whose sizes only the root knows: how they go ahead; see coll_topo::SizesAhead.
    struct Ahead {
        std::size_t short_bytes = 0;
        std::unique_ptr<coll_topo_plan> cells;    ///< null: the plan itself
        std::unique_ptr<coll_topo_plan> answers;  ///< null with these
    };
    std::optional<Ahead> ahead = {};
};

/// What is known about one communicator: its grid, the choice for every size class met so far, and the plans made for
/// them. There are at most as many plans as candidates, a handful for each collective; of collectives with a root,
/// those for the roots used last.
struct coll_topo_communicator {
public:
    /// The cache is that of the network, and outlives it. The placement is what the grid was made for.
    coll_topo_communicator(coll_topo::Grid grid, int rank, const coll_topo_settings& settings,
                           coll_topo::DecisionCache& decisions, const coll_topo::Placement& placement);

    const std::string& summary() const { return summary_; }

    /// From now on choices are explained, if the detail is one of coll_topo::Detail.
    void set_detail(int detail) { detail_ = detail; }

    /// Fewer bytes are left to the previous module in any case.
    std::size_t least_bytes(coll_topo::Call call) const { return left(call).below; }

    /// Which calls are all left to the previous module, and why; empty if there are none.
    const std::string& explain_left();

    /// The plan, or null for the previous module. `fixed_order`: only schedules that combine operands by coordinates.
    coll_topo_plan* choose(const coll_topo::Request& request, bool fixed_order);

    /// What is chosen for calls of this kind and of about this size: once, then null, as where nothing is to be
    /// explained.
    const char* explain(const coll_topo::Request& request, bool fixed_order);

    /// What a caller asks for of a collective.
    struct Arguments {
        std::size_t bytes;
        int root;
        bool commutative;
        bool fixed_order;
        bool operator==(const Arguments&) const = default;
    };
    /// Whether the last call of this kind was the same; then its plan. Most programs call in loops.
    bool repeats(coll_topo::Call call, const Arguments& arguments, coll_topo_plan** plan) const {
        const auto& last = last_calls_[index_of(call)];
        if (!last || last->first != arguments) return false;
        *plan = last->second;
        return true;
    }
    void remember(coll_topo::Call call, const Arguments& arguments, coll_topo_plan* plan) {
        last_calls_[index_of(call)] = {arguments, plan};
        last_ways_[index_of(call)] = plan != nullptr ? plan->way : -1;
    }

    /// An algorithm with all but the root that belongs to it.
    struct Way {
        const coll_topo::Algorithm* algorithm;
        coll_topo::Problem problem;
    };
    const std::vector<Way>& ways() const { return ways_; }
    const std::array<int, coll_topo::call_count>& last_ways() const { return last_ways_; }
    /// Calls that may still repeat the last one; see coll_topo_streaks().
    std::array<std::int64_t, coll_topo::call_count>& streaks() { return streaks_; }
    const coll_topo::Grid& grid() const { return grid_; }
    /// Before the first choice.
    void set_cartesian(coll_topo::Cartesian cartesian);
    /// What a way is predicted to take, or where it is -1, the previous module; nothing if that is not known.
    std::optional<double> predict(coll_topo::Call call, int way, double bytes) const;

    int ranks() const { return grid_.ranks(); }

    /// Memory apart from that of run().
    void* temporary(std::size_t bytes) { return temporary_.reserve(bytes); }

    int run_encoded(coll_topo_plan& plan, coll_topo_plan& allreduce, coll_topo_transport& bytes,
                    const coll_topo_buffers& buffers, const coll_topo_encoded_reduction& reduction) {
        return coll_topo::EncodedReduction(reduction, plan.plan, allreduce.plan, bytes, encoded_, workspace_)
            .run(buffers);
    }

    int run(coll_topo_plan& plan, coll_topo_transport& transport, const coll_topo_buffers& buffers) {
        return coll_topo::execute(plan.plan, transport, buffers, workspace_);
    }

    int exchange_sizes(coll_topo_plan& plan, coll_topo_transport& bytes, int root, const coll_topo_cells& cells,
                       std::size_t* sizes) {
        return coll_topo::exchange_piece_sizes(plan.plan, bytes, root, cells, sizes, workspace_);
    }

private:
    static constexpr int size_classes = 8 * sizeof(std::size_t) + 1;
    static constexpr std::size_t most_rooted_plans = 16;
    struct Choice {
        bool made = false;
        const coll_topo::Algorithm* algorithm = nullptr;  // null: the previous module
        coll_topo::Problem problem;                       // but for the root
        coll_topo_plan* plan = nullptr;                   // of a collective without a root
    };
    /// By size class, whether the operation commutes, and whether the order is fixed.
    using Choices = std::array<std::array<std::array<Choice, 2>, 2>, size_classes>;
    /// Of one call: the rules for it, and the choices by their ranges of sizes, null until first asked for.
    struct Chosen {
        coll_topo::RuleTable rules;
        std::vector<std::unique_ptr<Choices>> choices;
        /// The last of the size classes of each table, by whether the operation commutes, and the order is fixed.
        std::array<std::array<std::bitset<size_classes>, 2>, 2> explained = {};
    };
    using Plans = std::vector<std::unique_ptr<coll_topo_plan>>;

    /// Whether a collective needs a plan wherever there is one, as the previous module's results are not reproducible.
    bool must_be_planned(coll_topo::Call call) const;
    coll_topo::LeftToPrevious left(coll_topo::Call call) const;
    /// Why no algorithm can serve a call to neighbours in this communicator; empty if one can.
    std::string why_no_neighborhood(coll_topo::Call call) const;
    coll_topo::Preferences preferences_for(coll_topo::Call call, bool fixed_order) const;
    /// As another communicator like this one has decided, or anew.
    void decide(const coll_topo::Request& request, int range, bool fixed_order, Choice& choice);
    coll_topo::KnownDecisions::Answer decided(const coll_topo::KnownDecisions::Question& question) const;
    coll_topo::KnownDecisions& known_decisions();
    Plans::iterator find_or_make(Plans& plans, const coll_topo::Algorithm* algorithm,
                                 const coll_topo::Problem& problem);
    std::unique_ptr<coll_topo_plan> make(const coll_topo::Algorithm* algorithm, const coll_topo::Problem& problem);
    int way_of(const coll_topo::Algorithm* algorithm, const coll_topo::Problem& problem);
    /// For a plan of a gather or scatter. Where the user has said which schedule to take, it does all.
    coll_topo_plan::Ahead ahead_of(const coll_topo_plan& plan, coll_topo::Call call);
    coll_topo_plan* rooted_plan(const Choice& choice, const coll_topo::Request& request);
    /// The one that has not been used for longest, and is not in use.
    void forget_a_rooted_plan();

    coll_topo::Grid grid_;
    int rank_;
    coll_topo_settings settings_;
    coll_topo::DecisionCache& decision_cache_;
    std::optional<coll_topo::DecisionBasis> basis_;  // until the first decision
    std::shared_ptr<coll_topo::KnownDecisions> known_decisions_;
    std::string summary_;
    int detail_ = 0;
    std::string explanation_;
    std::array<Chosen, coll_topo::call_count> chosen_;
    std::array<std::optional<std::pair<Arguments, coll_topo_plan*>>, coll_topo::call_count> last_calls_;
    std::array<int, coll_topo::call_count> last_ways_;
    std::array<std::int64_t, coll_topo::call_count> streaks_ = {};
    std::vector<Way> ways_;
    Plans plans_;
    Plans rooted_plans_;  // the one used last at the end
    coll_topo::Workspace workspace_;
    coll_topo::Workspace temporary_;
    coll_topo::EncodedMemory encoded_;
};
