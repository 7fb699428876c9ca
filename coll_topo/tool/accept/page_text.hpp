// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/tool/accept/acceptance.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo::tool {

/// A table as HTML; cells are escaped here, but for classes.
struct PageCell {
    std::string text;
    std::string css_class = {};
};
std::string table_html(const std::vector<PageCell>& titles, const std::vector<std::vector<PageCell>>& rows);

/// The template with each {{name}} replaced.
std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& parts);

/// The report as one HTML file that needs nothing else.
std::string page_of(const Acceptance& acceptance);

/// Its parts about cables: the drawing, with links coloured by what was measured, and a table of rates.
std::string cable_drawing_html(const Acceptance& acceptance);
std::string rates_html(const Acceptance& acceptance);

/// The part about speed: a plot for each collective, and a table.
std::string speed_html(const Acceptance& acceptance);

}  // namespace coll_topo::tool
