// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/plan_text.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>
#include <string>

namespace coll_topo::tool {

namespace {

constexpr const char* buffer_names[] = {"input", "output", "scratch"};
constexpr const char* side_names[] = {"left", "right"};

std::string blocks_text(Buffer buffer, int first, int count) {
    const char* const name = buffer_names[static_cast<int>(buffer)];
    if (count == 1) return fmt::format("block {} of {}", first, name);
    return fmt::format("blocks {}-{} of {}", first, first + count - 1, name);
}

/// What is true of each transfer of a rank.
class RankText {
public:
    RankText(const Scenario& scenario, LinkGraph& network, int rank)
        : scenario_(scenario), network_(network), rank_(rank) {}

    std::string action(const Action& action) {
        const std::string blocks = blocks_text(action.buffer, action.first, action.count);
        switch (action.kind) {
            case ActionKind::send:
                return "send " + blocks + " to " + peer(action.peer, true);
            case ActionKind::receive:
                return "receive " + blocks + " from " + peer(action.peer, false);
            case ActionKind::receive_reduce:
                return "receive " + blocks + " from " + peer(action.peer, false) + " and fold them in on the " +
                       side_names[static_cast<int>(action.operand)];
            case ActionKind::copy:
                return "copy " + blocks + " to " + blocks_text(action.target, action.at, action.count);
            case ActionKind::reduce:
                return "fold " + blocks + " into " + blocks_text(action.target, action.at, action.count) + " on the " +
                       side_names[static_cast<int>(action.operand)];
        }
        return {};
    }

    /// "y, distance 2": where the partners of a step are, if they are all along one axis.
    std::string direction(std::span<const Action> actions) const {
        std::set<int> axes, distances;
        bool own_host = false;
        for (const Action& action : actions) {
            if (action.peer < 0 || action.kind == ActionKind::copy || action.kind == ActionKind::reduce) continue;
            if (scenario_.grid.host(action.peer) == scenario_.grid.host(rank_)) {
                own_host = true;
            } else if (!add_distance(scenario_.grid.host(action.peer), axes, distances)) {
                return {};
            }
        }
        if (axes.empty()) return own_host ? "on the host" : "";
        if (axes.size() > 1 || own_host) return {};
        std::string text = scenario_.grid.axes()[*axes.begin()].name + ", distance";
        const char* separator = " ";
        for (const int distance : distances) {
            text += separator + std::to_string(distance);
            separator = " and ";
        }
        return text;
    }

private:
    std::string peer(int peer, bool with_hops) {
        const int own_host = scenario_.placement[rank_].host, host = scenario_.placement[peer].host;
        const std::string name = fmt::format("rank {}", peer);
        if (host == own_host) return name + " (same host)";
        if (!with_hops) return name + " (" + network_.name(host) + ")";
        route_.clear();
        network_.route(own_host, host, route_);
        return name + " (" + network_.name(host) + ", " +
               counted(static_cast<long long>(route_.size()), "hop", "hops") + ")";
    }

    /// False if either host is not in the box, or they differ in several coordinates.
    bool add_distance(int host, std::set<int>& axes, std::set<int>& distances) const {
        int own = scenario_.grid.host(rank_);
        if (host >= scenario_.grid.places() || own >= scenario_.grid.places()) return false;
        int different = 0;
        for (int index = 0; index < static_cast<int>(scenario_.grid.axes().size()); ++index) {
            const Axis& axis = scenario_.grid.axes()[index];
            const int distance = std::abs(host % axis.size - own % axis.size);
            host /= axis.size;
            own /= axis.size;
            if (distance == 0) continue;
            ++different;
            axes.insert(index);
            distances.insert(axis.wrapped ? std::min(distance, axis.size - distance) : distance);
        }
        return different == 1;
    }

    const Scenario& scenario_;
    LinkGraph& network_;
    int rank_;
    std::vector<int> route_;
};

std::string lane_title(const Program& program, int lane) {
    const int window = program.lanes[lane].window;
    std::string text = fmt::format("Lane {} of {}", lane + 1, program.lanes.size());
    if (window > 1) text += fmt::format(", {} steps in flight", window);
    if (const int sends = program.lanes[lane].sends_at_once; sends > 0) {
        text += fmt::format(", {} sends of a step at once", sends);
    }
    return text;
}

/// How much is written of a program.
struct Limits {
    std::size_t steps_of_lane, actions_of_step;
};

/// Short: about a screen.
Limits limits_for(const Program& program, bool all) {
    constexpr std::size_t steps = 16, fewest_of_lane = 2, actions = 6;
    if (all) return {program.steps.size(), program.actions.size()};
    return {std::max(fewest_of_lane, steps / std::max<std::size_t>(1, program.lanes.size())), actions};
}

/// One step in words: "Step 2 of 8 (x, distance 1): send ...; receive ...".
void write_step(std::ostream& out, const std::string& begin, std::span<const Action> actions, RankText& text,
                std::size_t most) {
    const std::string direction = text.direction(actions);
    std::string words = begin + (direction.empty() ? "" : " (" + direction + ")") + ":";
    // Sends read what stood before the step, and what is local runs last: said in that order.
    std::size_t written = 0;
    for (const bool sends : {true, false}) {
        for (const Action& action : actions) {
            if ((action.kind == ActionKind::send) != sends || written == most) continue;
            words += (written == 0 ? " " : "; ") + text.action(action);
            ++written;
        }
    }
    if (written < actions.size()) words += fmt::format("; and {} more", actions.size() - written);
    out << wrapped(words + ".", begin.find_first_not_of(' ') + 4);
}

/// Returns whether it wrote all.
bool write_program(std::ostream& out, const Program& program, RankText& text, const Limits& limits) {
    bool whole = true;
    for (int lane = 0; lane < static_cast<int>(program.lanes.size()); ++lane) {
        const bool titled = program.lanes.size() > 1 || program.lanes[lane].window > 1;
        if (titled) out << "  " << lane_title(program, lane) << "\n";
        const auto steps = program.steps_of(program.lanes[lane]);
        const std::size_t shown = std::min(steps.size(), limits.steps_of_lane);
        for (std::size_t step = 0; step < shown; ++step) {
            write_step(out, fmt::format("{}Step {} of {}", titled ? "    " : "  ", step + 1, steps.size()),
                       program.actions_of(steps[step]), text, limits.actions_of_step);
            whole = whole && program.actions_of(steps[step]).size() <= limits.actions_of_step;
        }
        whole = whole && shown == steps.size();
        if (shown < steps.size()) out << (titled ? "    ...\n" : "  ...\n");
    }
    if (program.steps.empty()) out << "  Nothing to do.\n";
    return whole;
}

}  // namespace

void write_plan_text(std::ostream& out, const Scenario& scenario, const Candidate& candidate, const Schedule& schedule,
                     LinkGraph& network, const std::vector<int>& ranks, bool all) {
    out << wrapped(fmt::format("{} of {} on {}: {}.", collective_name(scenario.request.collective()),
                               bytes_text(scenario.request.bytes), scenario.grid.summary(), candidate.text()),
                   2);
    if (is_rooted(scenario.request.collective())) out << fmt::format("Rank {} is the root.\n", candidate.problem.root);
    const int blocks = schedule[0].blocks;
    out << fmt::format("The data are cut into {} of {}; predicted time {}.\n", counted(blocks, "block", "blocks"),
                       bytes_text(scenario.request.bytes / std::max(1, blocks)), duration_text(candidate.seconds));
    bool whole = true;
    for (const int rank : ranks) {
        out << fmt::format("\nRank {} on {}\n", rank, network.name(scenario.placement[rank].host));
        RankText text(scenario, network, rank);
        const Program& program = schedule[rank];
        if (!write_program(out, program, text, limits_for(program, all))) whole = false;
    }
    if (!whole) out << "\nNot all of it is shown; --all shows it.\n";
}

}  // namespace coll_topo::tool
