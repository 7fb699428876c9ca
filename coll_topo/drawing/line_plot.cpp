// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/line_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace coll_topo::tool {
namespace {

constexpr double plot_width = 560, plot_height = 360;
constexpr Point plot_corner = {90, 50};
constexpr double margin_below = 60, legend_gap = 24, legend_swatch = 26, legend_line = 20;
constexpr double character_width = 7;  // of text of size 12, on average
constexpr int most_marks = 10;

// Distinct also for those who see fewer colours (Okabe and Ito); later series repeat them with dashes.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#444444"};
constexpr std::array<const char*, 3> dashes = {"", "6 3", "2 3"};

const Style ring_style = {.stroke = "#222222", .stroke_width = 1.5};

Style series_style(std::size_t index) {
    return {.stroke = colours[index % colours.size()],
            .stroke_width = 2,
            .dashes = dashes[index / colours.size() % dashes.size()]};
}

bool can_show(const PlotAxis& axis, double value) {
    return std::isfinite(value) && (axis.scale == Scale::linear || value > 0);
}

/// Maps values to pixels along one axis.
class Ruler {
public:
    Ruler(const PlotAxis& axis, double lowest, double highest, double begin, double end)
        : scale_(axis.scale), marks_(axis_marks(axis.scale, lowest, highest)), begin_(begin), end_(end) {}

    const std::vector<double>& marks() const { return marks_; }

    double pixel(double value) const {
        const double from = position(marks_.front()), to = position(marks_.back());
        return begin_ + (end_ - begin_) * (position(value) - from) / (to - from);
    }

private:
    double position(double value) const { return scale_ == Scale::linear ? value : std::log2(value); }

    Scale scale_;
    std::vector<double> marks_;
    double begin_;
    double end_;
};

Ruler make_ruler(const LinePlot& plot, const PlotAxis& axis, double Point::*coordinate, double begin, double end) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const Series& series : plot.series) {
        for (const Point& point : series.points) {
            if (!can_show(plot.x, point.x) || !can_show(plot.y, point.y)) continue;
            lowest = std::min(lowest, point.*coordinate);
            highest = std::max(highest, point.*coordinate);
        }
    }
    if (lowest > highest) lowest = highest = 1;
    return {axis, lowest, highest, begin, end};
}

void draw_axes(Svg& svg, const LinePlot& plot, const Ruler& x, const Ruler& y) {
    const Style grid = {.stroke = "#dddddd"}, frame = {.stroke = "#222222"};
    const double left = plot_corner.x, right = left + plot_width, top = plot_corner.y, bottom = top + plot_height;
    for (const double mark : x.marks()) {
        svg.line({x.pixel(mark), top}, {x.pixel(mark), bottom}, grid);
        svg.text({x.pixel(mark), bottom + 18}, mark_text(plot.x, mark), {.size = 11, .anchor = Anchor::middle});
    }
    for (const double mark : y.marks()) {
        svg.line({left, y.pixel(mark)}, {right, y.pixel(mark)}, grid);
        svg.text({left - 8, y.pixel(mark) + 4}, mark_text(plot.y, mark), {.size = 11, .anchor = Anchor::end});
    }
    svg.rectangle(plot_corner, plot_width, plot_height, frame);
    svg.text({left + plot_width / 2, bottom + 42}, plot.x.label, {.anchor = Anchor::middle});
    svg.text({18, top + plot_height / 2}, plot.y.label, {.anchor = Anchor::middle, .degrees = -90});
    svg.text({left + plot_width / 2, 28}, plot.title, {.size = 15, .anchor = Anchor::middle, .bold = true});
}

void draw_series(Svg& svg, const LinePlot& plot, std::size_t index, const Ruler& x, const Ruler& y) {
    std::vector<Point> pixels;
    for (const Point& point : plot.series[index].points) {
        if (can_show(plot.x, point.x) && can_show(plot.y, point.y))
            pixels.push_back({x.pixel(point.x), y.pixel(point.y)});
    }
    const bool rings = plot.series[index].rings;
    const Style style = series_style(index);
    const auto mark = [&](Point at) {
        if (rings) {
            svg.circle(at, 7, ring_style);
        } else {
            svg.circle(at, 3, {.fill = style.stroke});
        }
    };
    if (pixels.size() > 1 && !rings) svg.polyline(pixels, style);
    for (const Point& pixel : pixels) mark(pixel);

    const double legend_x = plot_corner.x + plot_width + legend_gap;
    const double legend_y = plot_corner.y + 10 + legend_line * static_cast<double>(index);
    if (!rings) svg.line({legend_x, legend_y}, {legend_x + legend_swatch, legend_y}, style);
    mark({legend_x + legend_swatch / 2, legend_y});
    svg.text({legend_x + legend_swatch + 8, legend_y + 4}, plot.series[index].name);
}

std::vector<double> linear_marks(double lowest, double highest) {
    lowest = std::min(lowest, 0.0);
    if (highest <= lowest) highest = lowest + 1;
    const double rough = (highest - lowest) / (most_marks - 2);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
    }
    std::vector<double> marks;
    const auto first = static_cast<long>(std::floor(lowest / step + 1e-9));
    const auto last = static_cast<long>(std::ceil(highest / step - 1e-9));
    for (long mark = first; mark <= last; ++mark) marks.push_back(static_cast<double>(mark) * step);
    return marks;
}

std::vector<double> logarithmic_marks(double base, double lowest, double highest) {
    auto first = static_cast<int>(std::floor(std::log(lowest) / std::log(base) + 1e-9));
    auto last = static_cast<int>(std::ceil(std::log(highest) / std::log(base) - 1e-9));
    if (first == last) {
        --first;
        ++last;
    }
    const int stride = (last - first + most_marks - 1) / most_marks;
    last = first + (last - first + stride - 1) / stride * stride;
    std::vector<double> marks;
    for (int power = first; power <= last; power += stride) marks.push_back(std::pow(base, power));
    return marks;
}

}  // namespace

std::vector<double> axis_marks(Scale scale, double lowest, double highest) {
    if (scale == Scale::linear) return linear_marks(lowest, highest);
    return logarithmic_marks(scale == Scale::binary ? 2 : 10, lowest, highest);
}

std::string mark_text(const PlotAxis& axis, double value) {
    constexpr std::array<const char*, 5> binary = {"", "Ki", "Mi", "Gi", "Ti"};
    constexpr std::array<const char*, 9> decimal = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    constexpr std::size_t no_prefix = 4;
    std::string prefix;
    if (axis.scale == Scale::binary) {
        std::size_t index = 0;
        for (; value >= 1024 && index + 1 < binary.size(); ++index) value /= 1024;
        prefix = binary[index];
    } else if (!axis.unit.empty() && axis.unit != "%" && value != 0) {
        std::size_t index = no_prefix;
        for (; std::abs(value) >= 1000 * (1 - 1e-9) && index + 1 < decimal.size(); ++index) value /= 1000;
        for (; std::abs(value) < 1 - 1e-9 && index > 0; --index) value *= 1000;
        prefix = decimal[index];
    }
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.4g", value);
    const std::string unit = prefix + axis.unit;
    return unit.empty() ? text.data() : text.data() + (" " + unit);
}

std::string draw(const LinePlot& plot) {
    const double right = plot_corner.x + plot_width, bottom = plot_corner.y + plot_height;
    std::size_t longest = 0;
    for (const Series& series : plot.series) longest = std::max(longest, series.name.size());
    const double legend_width = legend_gap + legend_swatch + 16 + character_width * static_cast<double>(longest);
    const double legend_height = 20 + legend_line * static_cast<double>(plot.series.size());
    Svg svg(right + legend_width, std::max(bottom + margin_below, plot_corner.y + legend_height));

    const Ruler x = make_ruler(plot, plot.x, &Point::x, plot_corner.x, right);
    const Ruler y = make_ruler(plot, plot.y, &Point::y, bottom, plot_corner.y);
    draw_axes(svg, plot, x, y);
    for (std::size_t index = 0; index < plot.series.size(); ++index) draw_series(svg, plot, index, x, y);
    return std::move(svg).finish();
}

}  // namespace coll_topo::tool
