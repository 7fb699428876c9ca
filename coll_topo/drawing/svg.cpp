// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/svg.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace coll_topo::tool {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string attribute(std::string_view name, double value) {
    return attribute(name, svg_number(value));
}

std::string attributes(const Style& style) {
    std::string text = attribute("fill", style.fill);
    if (style.stroke == "none") return text;
    text += attribute("stroke", style.stroke) + attribute("stroke-width", style.stroke_width);
    if (!style.dashes.empty()) text += attribute("stroke-dasharray", style.dashes);
    return text;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:  // no control character is allowed in XML but these
                if (static_cast<unsigned char>(character) >= ' ' || character == '\n' || character == '\t') {
                    result += character;
                }
        }
    }
    return result;
}

std::string svg_number(double number) {
    std::array<char, 64> text;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 2);
    std::string result(text.data(), written.ptr);
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
    return result == "-0" ? "0" : result;
}

std::string heat_colour(double share) {
    struct Colour {
        double red, green, blue;
    };
    // White, yellow, orange, red, dark red: readable in grey, too.
    constexpr std::array<Colour, 5> stops = {
        {{255, 255, 255}, {254, 217, 118}, {253, 141, 60}, {227, 26, 28}, {128, 0, 38}}};
    const double place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const double part = place - static_cast<double>(below);
    const auto mix = [&](double Colour::*channel) {
        const double mixed = stops[below].*channel * (1 - part) + stops[below + 1].*channel * part;
        return static_cast<unsigned>(std::lround(mixed));
    };
    std::array<char, 8> text;
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", mix(&Colour::red) & 0xffu, mix(&Colour::green) & 0xffu,
                  mix(&Colour::blue) & 0xffu);
    return text.data();
}

Svg::Svg(double width, double height) {
    content_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
               attribute("viewBox", "0 0 " + svg_number(width) + " " + svg_number(height)) +
               " font-family=\"Helvetica, Arial, sans-serif\">\n";
    rectangle({0, 0}, width, height, {.fill = "#ffffff"});
}

void Svg::line(Point from, Point to, const Style& style) {
    content_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
                attribute("y2", to.y) + attributes(style) + "/>\n";
}

void Svg::polyline(std::span<const Point> points, const Style& style) {
    content_ += "<polyline points=\"";
    for (const Point& point : points) content_ += svg_number(point.x) + "," + svg_number(point.y) + " ";
    if (!points.empty()) content_.pop_back();
    content_ += "\"" + attributes(style) + "/>\n";
}

void Svg::rectangle(Point corner, double width, double height, const Style& style) {
    content_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) +
                attribute("height", height) + attributes(style) + "/>\n";
}

void Svg::circle(Point centre, double radius, const Style& style) {
    content_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
                attributes(style) + "/>\n";
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
    content_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", style.size) +
                attribute("fill", style.fill);
    if (style.anchor != Anchor::start) {
        content_ += attribute("text-anchor", style.anchor == Anchor::middle ? "middle" : "end");
    }
    if (style.bold) content_ += attribute("font-weight", "bold");
    if (style.degrees != 0) {
        content_ += attribute(
            "transform", "rotate(" + svg_number(style.degrees) + " " + svg_number(at.x) + " " + svg_number(at.y) + ")");
    }
    content_ += ">" + escaped(text) + "</text>\n";
}

void Svg::begin_tooltip(std::string_view text) {
    content_ += "<g><title>" + escaped(text) + "</title>\n";
}

void Svg::end_tooltip() {
    content_ += "</g>\n";
}

std::string Svg::finish() && {
    content_ += "</svg>\n";
    return std::move(content_);
}

}  // namespace coll_topo::tool
