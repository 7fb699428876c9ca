// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/drawing/svg.hpp"

#include <string>
#include <vector>

namespace coll_topo::tool {

/// How the marks of an axis are placed and named.
enum class Scale {
    linear,   ///< round steps from 0
    decimal,  ///< logarithmic, marks at powers of ten with SI prefixes: 1 µs, 10 µs
    binary,   ///< logarithmic, marks at powers of two with binary prefixes: 64 KiB, 1 MiB
};

struct PlotAxis {
    std::string label;  ///< what is shown; units are added to the marks
    std::string unit;   ///< of the values: "s", "B", "%", or "" for numbers
    Scale scale = Scale::linear;
};

/// Points joined by a line, from left to right.
struct Series {
    std::string name;
    std::vector<Point> points;
    bool rings = false;  ///< rings around points of other series instead: it marks them
};

struct LinePlot {
    std::string title;
    PlotAxis x;
    PlotAxis y;
    std::vector<Series> series;
};

/// The plot as SVG with a legend beside it. Values that a logarithmic axis cannot show (zero or less) are left out.
std::string draw(const LinePlot& plot);

/// The marks of an axis that is to show lowest .. highest, ascending; the first and last one enclose the values.
std::vector<double> axis_marks(Scale scale, double lowest, double highest);

/// "64 KiB", "10 ms", "0.5 %".
std::string mark_text(const PlotAxis& axis, double value);

}  // namespace coll_topo::tool
