// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/svg.hpp"

#include <gtest/gtest.h>

#include <array>

namespace coll_topo::tool {
namespace {

TEST(SvgNumber, HasTwoDecimalsAtMost) {
    EXPECT_EQ(svg_number(0), "0");
    EXPECT_EQ(svg_number(-0.001), "0");
    EXPECT_EQ(svg_number(100), "100");
    EXPECT_EQ(svg_number(1.5), "1.5");
    EXPECT_EQ(svg_number(-2.346), "-2.35");
}

TEST(HeatColour, GoesFromWhiteToDarkRed) {
    EXPECT_EQ(heat_colour(-1), "#ffffff");
    EXPECT_EQ(heat_colour(0), "#ffffff");
    EXPECT_EQ(heat_colour(0.5), "#fd8d3c");
    EXPECT_EQ(heat_colour(1), "#800026");
    EXPECT_EQ(heat_colour(2), "#800026");
}

TEST(Svg, WritesElementsInOrder) {
    Svg svg(20, 10);
    const std::array<Point, 2> points = {{{0, 0}, {1.25, 2}}};
    svg.polyline(points, {.stroke = "#000000", .stroke_width = 2, .dashes = "6 3"});
    svg.text({3, 4}, "a < b & c", {.anchor = Anchor::end, .degrees = -90});
    EXPECT_EQ(std::move(svg).finish(),
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" viewBox=\"0 0 20 10\""
              " font-family=\"Helvetica, Arial, sans-serif\">\n"
              "<rect x=\"0\" y=\"0\" width=\"20\" height=\"10\" fill=\"#ffffff\"/>\n"
              "<polyline points=\"0,0 1.25,2\" fill=\"none\" stroke=\"#000000\" stroke-width=\"2\""
              " stroke-dasharray=\"6 3\"/>\n"
              "<text x=\"3\" y=\"4\" font-size=\"12\" fill=\"#222222\" text-anchor=\"end\""
              " transform=\"rotate(-90 3 4)\">a &lt; b &amp; c</text>\n"
              "</svg>\n");
}

TEST(Svg, TooltipsEncloseWhatTheyAreAbout) {
    Svg svg(1, 1);
    svg.begin_tooltip("n0 to n1");
    svg.circle({0, 0}, 1, {.fill = "#ff0000"});
    svg.end_tooltip();
    const std::string drawing = std::move(svg).finish();
    EXPECT_NE(drawing.find("<g><title>n0 to n1</title>\n<circle cx=\"0\" cy=\"0\" r=\"1\" fill=\"#ff0000\"/>\n</g>"),
              std::string::npos);
}

}  // namespace
}  // namespace coll_topo::tool
