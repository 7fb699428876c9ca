// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/simulate/simulation_drawing.hpp"

#include "coll_topo/base/duration.hpp"
#include "coll_topo/drawing/line_plot.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/network/network_drawing.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace coll_topo::tool {

namespace {

// A light and a dark shade for each lane; steps take turns.
constexpr std::array<std::array<const char*, 2>, 6> lane_colours = {{{"#9ecae1", "#3182bd"},
                                                                     {"#fdae6b", "#e6550d"},
                                                                     {"#a1d99b", "#31a354"},
                                                                     {"#bcbddc", "#756bb1"},
                                                                     {"#fbb4c4", "#c51b8a"},
                                                                     {"#d9d9d9", "#636363"}}};

constexpr double chart_width = 900, most_chart_height = 1000;
constexpr double thinnest_bar = 3, thickest_bar = 12;  // pixels, with the gap below
constexpr Point chart_corner = {90, 50};
constexpr double shortest_bar = 2;            // pixels; shorter ones are joined
constexpr std::size_t most_tooltips = 20000;  // steps; more would make browsers slow

/// Ranks in a row of the timeline: [first, end).
struct RowOfRanks {
    int first;
    int end;
};

std::string name(const RowOfRanks& row) {
    if (row.end == row.first + 1) return std::to_string(row.first);
    return fmt::format("{}-{}", row.first, row.end - 1);
}

/// When a step of a lane was in progress at the ranks of a row that have it, on average.
std::optional<StepTime> mean_time(const Simulation& simulation, const Schedule& schedule, RowOfRanks row,
                                  std::size_t lane, std::int32_t step) {
    StepTime sum{0, 0};
    int ranks = 0;
    for (int rank = row.first; rank < row.end; ++rank) {
        const Program& program = schedule[rank];
        if (lane >= program.lanes.size()) continue;
        const std::int32_t index = program.lanes[lane].begin_step + step;
        if (index >= program.lanes[lane].end_step) continue;
        sum.begin += simulation.steps[rank][index].begin;
        sum.end += simulation.steps[rank][index].end;
        ++ranks;
    }
    if (ranks == 0) return {};
    return StepTime{sum.begin / ranks, sum.end / ranks};
}

class Timeline {
public:
    Timeline(const Simulation& simulation, const Schedule& schedule)
        : simulation_(simulation),
          schedule_(schedule),
          ranks_(static_cast<int>(schedule.size())),
          marks_(axis_marks(Scale::linear, 0, simulation.seconds)) {
        std::size_t steps = 0;
        for (const Program& program : schedule) {
            lanes_ = std::max(lanes_, program.lanes.size());
            steps += program.steps.size();
        }
        const auto lanes = static_cast<double>(lanes_);
        const int most_rows = std::max(1, static_cast<int>(most_chart_height / (thinnest_bar * lanes)));
        ranks_of_row_ = (ranks_ + most_rows - 1) / most_rows;
        rows_ = (ranks_ + ranks_of_row_ - 1) / ranks_of_row_;
        row_height_ = std::min(most_chart_height / rows_, thickest_bar * lanes);
        tooltips_ = ranks_of_row_ == 1 && steps <= most_tooltips;
    }

    std::string draw(const std::string& title) {
        const double bottom = chart_corner.y + row_height_ * rows_;
        Svg svg(chart_corner.x + chart_width + 40, bottom + 60);
        svg.text({chart_corner.x, 28}, title, {.size = 15, .bold = true});
        svg.text({chart_corner.x, 44}, legend(), {.size = 11});
        for (const double mark : marks_) {
            svg.line({x(mark), chart_corner.y}, {x(mark), bottom}, {.stroke = "#dddddd"});
            svg.text({x(mark), bottom + 18}, mark_text(scale_, mark), {.size = 11, .anchor = Anchor::middle});
        }
        for (int row = 0; row < rows_; ++row) draw_row(svg, row);
        svg.text({chart_corner.x + chart_width / 2, bottom + 42}, "time", {.anchor = Anchor::middle});
        svg.text({18, (chart_corner.y + bottom) / 2}, "rank", {.anchor = Anchor::middle, .degrees = -90});
        return std::move(svg).finish();
    }

private:
    double x(double seconds) const {
        return chart_corner.x + (marks_.back() > 0 ? seconds / marks_.back() * chart_width : 0);
    }

    std::string legend() const {
        std::string text = "a bar: a step";
        if (lanes_ > 1) text += "; a colour: a lane";
        if (ranks_of_row_ > 1) text += fmt::format("; a row: {} ranks, mean times", ranks_of_row_);
        return text;
    }

    void draw_row(Svg& svg, int row) const {
        const RowOfRanks ranks = {row * ranks_of_row_, std::min((row + 1) * ranks_of_row_, ranks_)};
        const double top = chart_corner.y + row * row_height_;
        const int stride = std::max(1, static_cast<int>(12 / row_height_) + 1);  // so that names do not touch
        if (row % stride == 0) {
            svg.text({chart_corner.x - 8, top + row_height_ / 2 + 4}, name(ranks), {.size = 10, .anchor = Anchor::end});
        }
        const double height = row_height_ * 0.9 / static_cast<double>(lanes_);
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            draw_lane(svg, ranks, lane, {0, top + height * static_cast<double>(lane)}, height);
        }
    }

    /// Bars from left to right; those too short to be seen wait for their successors.
    void draw_lane(Svg& svg, RowOfRanks row, std::size_t lane, Point corner, double height) const {
        double begin = -1;
        std::int32_t first = 0, drawn = 0;
        for (std::int32_t step = 0;; ++step) {
            const auto time = mean_time(simulation_, schedule_, row, lane, step);
            if (!time) return;
            if (begin < 0) {
                begin = time->begin;
                first = step;
            }
            const double width = x(time->end) - x(begin);
            if (width < shortest_bar) continue;
            if (tooltips_) {
                const std::string steps =
                    first == step ? fmt::format("step {}", step) : fmt::format("steps {}-{}", first, step);
                svg.begin_tooltip(fmt::format("rank {}, lane {}, {}: {} to {}", row.first, lane, steps,
                                              duration_text(begin), duration_text(time->end)));
            }
            svg.rectangle({x(begin), corner.y}, width, height,
                          {.fill = lane_colours[lane % lane_colours.size()][drawn++ % 2]});
            if (tooltips_) svg.end_tooltip();
            begin = -1;
        }
    }

    const Simulation& simulation_;
    const Schedule& schedule_;
    int ranks_;
    int ranks_of_row_ = 1;
    int rows_ = 1;
    PlotAxis scale_ = {"", "s", Scale::linear};
    std::vector<double> marks_;
    std::size_t lanes_ = 1;
    bool tooltips_ = false;
    double row_height_ = 0;
};

}  // namespace

double utilisation(const Simulation& simulation, const LinkGraph& network, int link) {
    const double could = network.links()[link].bandwidth * simulation.seconds;
    return could > 0 ? static_cast<double>(simulation.link_bytes[link]) / could : 0;
}

std::string draw_utilisation(const Simulation& simulation, const Fabric& fabric, const LinkGraph& network,
                             const std::string& title) {
    const auto look = [&](std::span<const int> links) {
        double sum = 0, bytes = 0;
        for (const int link : links) {
            sum += utilisation(simulation, network, link);
            bytes += static_cast<double>(simulation.link_bytes[link]);
        }
        const double mean = links.empty() ? 0 : sum / static_cast<double>(links.size());
        // Idle links stay visible on white.
        return LinkLook{.colour = mean > 0 ? heat_colour(0.15 + 0.85 * mean) : "#e4e4e4",
                        .width = 1.2 + 2 * mean,
                        .tooltip = fmt::format("{}, {:.1f} % busy", bytes_text(bytes), 100 * mean)};
    };
    return NetworkDrawing(fabric, network).draw(title, look);
}

std::string draw_timeline(const Simulation& simulation, const Schedule& schedule, const std::string& title) {
    return Timeline(simulation, schedule).draw(title);
}

}  // namespace coll_topo::tool
