// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/line_plot.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace coll_topo::tool {
namespace {

using Marks = std::vector<double>;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(AxisMarks, LinearOnesStartAtZeroInRoundSteps) {
    EXPECT_EQ(axis_marks(Scale::linear, 20, 73), (Marks{0, 10, 20, 30, 40, 50, 60, 70, 80}));
    EXPECT_EQ(axis_marks(Scale::linear, 0.5, 1), (Marks{0, 0.2, 0.4, 0.2 * 3, 0.8, 1}));
    EXPECT_EQ(axis_marks(Scale::linear, 0, 0), (Marks{0, 0.2, 0.4, 0.2 * 3, 0.8, 1}));
}

TEST(AxisMarks, LogarithmicOnesEncloseTheValues) {
    EXPECT_EQ(axis_marks(Scale::decimal, 0.02, 3), (Marks{0.01, 0.1, 1, 10}));
    EXPECT_EQ(axis_marks(Scale::binary, 1024, 4096), (Marks{1024, 2048, 4096}));
    EXPECT_EQ(axis_marks(Scale::binary, 1024, 1024), (Marks{512, 1024, 2048}));
}

TEST(AxisMarks, LongAxesSkipPowers) {
    EXPECT_EQ(axis_marks(Scale::binary, 1, 1 << 20),
              (Marks{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20}));
    const Marks marks = axis_marks(Scale::binary, 1, 1 << 21);
    EXPECT_LE(marks.size(), 11u);
    EXPECT_GE(marks.back(), 1 << 21);
}

TEST(MarkText, HasPrefixAndUnit) {
    EXPECT_EQ(mark_text({"", "B", Scale::binary}, 65536), "64 KiB");
    EXPECT_EQ(mark_text({"", "B", Scale::binary}, 8), "8 B");
    EXPECT_EQ(mark_text({"", "s", Scale::decimal}, 1e-5), "10 µs");
    EXPECT_EQ(mark_text({"", "s", Scale::linear}, 0), "0 s");
    EXPECT_EQ(mark_text({"", "B/s", Scale::linear}, 2.5e9), "2.5 GB/s");
    EXPECT_EQ(mark_text({"", "%", Scale::linear}, 0.5), "0.5 %");
    EXPECT_EQ(mark_text({"", "", Scale::linear}, 1500), "1500");
}

TEST(LinePlot, DrawsEveryPointThatItsAxesCanShow) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    LinePlot plot{"allreduce <torus>", {"bytes", "B", Scale::binary}, {"time", "s", Scale::decimal}, {}};
    plot.series.push_back({"ring", {{0, 1e-6}, {1024, 1e-5}, {2048, 2e-5}, {4096, none}}});
    plot.series.push_back({"one point", {{1024, 3e-5}}});
    const std::string svg = draw(plot);
    EXPECT_EQ(count(svg, "<polyline"), 1u);
    EXPECT_EQ(count(svg, "<circle"), 3u + 2u);  // and one for each series in the legend
    EXPECT_EQ(count(svg, ">ring</text>"), 1u);
    EXPECT_EQ(count(svg, "allreduce &lt;torus&gt;"), 1u);
    EXPECT_EQ(count(svg, "nan"), 0u);
}

TEST(LinePlot, PlacesValuesOnALogarithmicAxis) {
    LinePlot plot{"", {"", "", Scale::decimal}, {"", "", Scale::decimal}, {}};
    plot.series.push_back({"", {{1, 1}, {10, 10}, {100, 100}}});
    // 560 x 360 pixels from (90, 410): the middle point is in the middle.
    EXPECT_EQ(count(draw(plot), "points=\"90,410 370,230 650,50\""), 1u);
}

TEST(LinePlot, AnEmptyPlotIsStillADrawing) {
    EXPECT_EQ(count(draw({"", {"", "B", Scale::binary}, {"", "s", Scale::decimal}, {}}), "</svg>"), 1u);
}

}  // namespace
}  // namespace coll_topo::tool
