// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/plan/plan_table.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/output/units.hpp"
#include "coll_topo/verify/rounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace coll_topo::tool {

namespace {

/// What kind of route a message takes, "along columns".
class Kinds {
public:
    explicit Kinds(const Grid& grid) : grid_(grid), column_(grid.leaves().hosts.parts()), row_(column_) {
        const LeafArrangement& leaves = grid.leaves();
        for (std::size_t place = 0; place < leaves.leaf_at.size(); ++place) {
            column_[leaves.leaf_at[place]] = static_cast<int>(place) / leaves.rows;
            row_[leaves.leaf_at[place]] = static_cast<int>(place) % leaves.rows;
        }
    }

    std::string of(int from, int to) const {
        const int here = grid_.host(from), there = grid_.host(to);
        if (here == there) return "within hosts";
        return grid_.leaves().empty() ? on_torus(here, there) : on_switches(here, there);
    }

private:
    std::string on_switches(int here, int there) const {
        const LeafArrangement& leaves = grid_.leaves();
        const int from = leaves.leaf(here), to = leaves.leaf(there);
        if (from == to) return "under leaves";
        if (leaves.columns > 0 && column_[from] == column_[to]) return "along columns";
        if (leaves.columns > 0 && row_[from] == row_[to]) return "along rows";
        if (leaves.group(here) == leaves.group(there)) return "between leaves of a group";
        return leaves.leaves.largest() == 1 ? "between leaves" : "between groups";
    }

    std::string on_torus(int here, int there) const {
        std::string name;
        if (here >= grid_.places() || there >= grid_.places()) return "to and from extra hosts";
        for (const Axis& axis : grid_.axes()) {
            if (here % axis.size != there % axis.size) name += (name.empty() ? "along " : " and ") + axis.name;
            here /= axis.size;
            there /= axis.size;
        }
        return name;
    }

    const Grid& grid_;
    std::vector<int> column_, row_;  // by leaf, if there are columns
};

/// What the wanted ranks do in a lane in a round: a cell for each of them.
struct RoundColumn {
    int round = 0;
    std::string kind;
    std::vector<std::string> cells;  // by index into the wanted ranks; "" for no message
    std::size_t width = 0;
};

/// "3": an exchange; ">3 <5": sends to 3, receives from 5; many are counted.
std::string cell_text(const std::vector<int>& to, const std::vector<int>& from) {
    constexpr std::size_t most = 3;
    if (to == from && to.size() <= most) return fmt::format("{}", fmt::join(to, " "));
    std::string text;
    for (const auto& [sign, peers] : {std::pair('>', &to), std::pair('<', &from)}) {
        if (peers->size() > most) text += fmt::format(" {}({} ranks)", sign, peers->size());
        for (std::size_t i = 0; i < peers->size() && peers->size() <= most; ++i) {
            text += fmt::format(" {}{}", sign, (*peers)[i]);
        }
    }
    return text.empty() ? text : text.substr(1);
}

class PlanTable {
public:
    PlanTable(const Scenario& scenario, LinkGraph& network, const std::vector<int>& ranks)
        : scenario_(scenario), network_(network), ranks_(ranks), index_of_(scenario.grid.ranks(), -1) {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            index_of_[ranks[i]] = static_cast<int>(i);
            width_before_ = std::max(width_before_, 6 + network_.name(scenario_.placement[ranks[i]].host).size());
        }
    }

    void write_lane(const Rounds& rounds, int lane, std::ostream& out) const {
        const Kinds kinds(scenario_.grid);
        std::vector<RoundColumn> columns;
        for (std::size_t round = 0; round < rounds.size(); ++round) {
            const auto in_lane = [&](const RoundMessage& message) { return message.lane == lane; };
            if (std::ranges::none_of(rounds[round], in_lane)) continue;
            columns.push_back(column(rounds[round], lane, kinds));
            columns.back().round = static_cast<int>(round) + 1;
        }
        for (std::size_t begin = 0; begin < columns.size();) {
            const std::size_t end = end_of_table(columns, begin);
            write_rounds(columns, begin, end, out);
            begin = end;
        }
    }

private:
    RoundColumn column(const std::vector<RoundMessage>& round, int lane, const Kinds& kinds) const {
        std::vector<std::vector<int>> to(ranks_.size()), from(ranks_.size());
        std::set<std::string> names;
        for (const RoundMessage& message : round) {
            if (message.lane != lane) continue;
            names.insert(kinds.of(message.from, message.to));
            if (const int sender = index_of_[message.from]; sender >= 0) to[sender].push_back(message.to);
            if (const int receiver = index_of_[message.to]; receiver >= 0) from[receiver].push_back(message.from);
        }
        RoundColumn column{0, fmt::format("{}", fmt::join(names, ", ")), {}, 0};
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            column.cells.push_back(cell_text(to[i], from[i]));
            column.width = std::max(column.width, column.cells.back().size());
        }
        return column;
    }

    std::size_t end_of_table(const std::vector<RoundColumn>& columns, std::size_t begin) const {
        std::size_t width = width_before_, end = begin;
        while (end < columns.size() && columns[end].kind == columns[begin].kind) {
            width += 2 + std::max(columns[end].width, std::to_string(columns[end].round).size());
            if (end > begin && width > line_width) break;
            ++end;
        }
        return end;
    }

    void write_rounds(const std::vector<RoundColumn>& columns, std::size_t begin, std::size_t end,
                      std::ostream& out) const {
        const int first = columns[begin].round, last = columns[end - 1].round;
        out << (first == last ? fmt::format("\nRound {}", first) : fmt::format("\nRounds {} to {}", first, last))
            << ", " << columns[begin].kind << "\n";
        std::vector<Table::Column> titles = {{"rank", "rank"}, {"host", "host"}};
        for (std::size_t index = begin; index < end; ++index) {
            titles.push_back({std::to_string(columns[index].round), std::to_string(columns[index].round)});
        }
        Table table(std::move(titles));
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            std::vector<Cell> row = {ranks_[i], network_.name(scenario_.placement[ranks_[i]].host)};
            bool takes_part = false;
            for (std::size_t index = begin; index < end; ++index) {
                const std::string& cell = columns[index].cells[i];
                takes_part = takes_part || !cell.empty();
                row.emplace_back(cell.empty() ? "-" : cell);
            }
            if (takes_part) table.add(std::move(row));
        }
        if (table.rows() > 0) return table.write_text(out);
        out << "None of the ranks asked for takes part.\n";
    }

    const Scenario& scenario_;
    LinkGraph& network_;
    const std::vector<int>& ranks_;
    std::vector<int> index_of_;      // by rank: into ranks_, or -1
    std::size_t width_before_ = 10;  // of rank and host in a table
};

}  // namespace

Expected<void> write_plan_table(std::ostream& out, const Scenario& scenario, const Candidate& candidate,
                                const Schedule& schedule, LinkGraph& network, const std::vector<int>& ranks) {
    const auto rounds = find_rounds(schedule);
    RETURN_IF_ERROR(rounds);
    out << wrapped(fmt::format("{} of {} on {}: {}.", collective_name(scenario.request.collective()),
                               bytes_text(scenario.request.bytes), scenario.grid.summary(), candidate.text()),
                   2);
    if (is_rooted(scenario.request.collective())) out << fmt::format("Rank {} is the root.\n", candidate.problem.root);
    int most = 0;
    for (const StepLoad& load : link_load(*rounds, schedule, network, scenario.placement)) {
        most = std::max(most, load.messages);
    }
    out << fmt::format("{}, with at most {} on a link at a time.\n",
                       counted(static_cast<long long>(rounds->size()), "round", "rounds"),
                       counted(most, "message", "messages"));
    out << "In the tables: >3 sends to rank 3, <3 receives from rank 3, 3 does both, - does nothing.\n";
    const PlanTable table(scenario, network, ranks);
    std::size_t lanes = 0;
    for (const Program& program : schedule) lanes = std::max(lanes, program.lanes.size());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (lanes > 1) out << fmt::format("\nLane {} of {}\n", lane + 1, lanes);
        table.write_lane(*rounds, static_cast<int>(lane), out);
    }
    return {};
}

}  // namespace coll_topo::tool
