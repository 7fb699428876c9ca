// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coll_topo::tool {

/// A place in a drawing, in pixels; y points down.
struct Point {
    double x;
    double y;
};

enum class Anchor { start, middle, end };

/// How a shape or a line is drawn. Colours as SVG names them: "#1f77b4", "none".
struct Style {
    std::string fill = "none";
    std::string stroke = "none";
    double stroke_width = 1;
    std::string dashes = {};  ///< as stroke-dasharray; empty: a line without gaps
};

struct TextStyle {
    double size = 12;  ///< pixels
    Anchor anchor = Anchor::start;
    std::string fill = "#222222";
    bool bold = false;
    double degrees = 0;  ///< turned clockwise about its place
};

/// Writes an SVG drawing element by element, the first one lowest. White background.
class Svg {
public:
    Svg(double width, double height);

    void line(Point from, Point to, const Style& style);
    void polyline(std::span<const Point> points, const Style& style);
    void rectangle(Point corner, double width, double height, const Style& style);
    void circle(Point centre, double radius, const Style& style);
    /// The text stands on `at`, its base line.
    void text(Point at, std::string_view text, const TextStyle& style = {});

    /// Text that a browser shows when the pointer rests on what is drawn until end_tooltip().
    void begin_tooltip(std::string_view text);
    void end_tooltip();

    /// The whole drawing.
    std::string finish() &&;

private:
    std::string content_;
};

/// A text in which nothing has a meaning for HTML or XML, also between quotation marks.
std::string escaped(std::string_view text);

/// A number for an SVG attribute: two decimals at most, no trailing zeros.
std::string svg_number(double number);

/// A colour between white (0) and dark red (1), by way of yellow and orange: for loads.
std::string heat_colour(double share);

}  // namespace coll_topo::tool
