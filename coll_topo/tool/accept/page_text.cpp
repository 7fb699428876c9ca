// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/page_text.hpp"

#include "coll_topo/drawing/svg.hpp"

namespace coll_topo::tool {

std::string table_html(const std::vector<PageCell>& titles, const std::vector<std::vector<PageCell>>& rows) {
    const auto cell = [](const PageCell& each, const char* tag) {
        std::string text = "<" + std::string(tag);
        if (!each.css_class.empty()) text += " class=\"" + each.css_class + "\"";
        return text + ">" + escaped(each.text) + "</" + tag + ">";
    };
    std::string html = "<table><thead><tr>";
    for (const PageCell& title : titles) html += cell(title, "th");
    html += "</tr></thead><tbody>\n";
    for (const auto& row : rows) {
        html += "<tr>";
        for (const PageCell& each : row) html += cell(each, "td");
        html += "</tr>\n";
    }
    return html + "</tbody></table>";
}

std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& parts) {
    std::string result;
    for (;;) {
        const auto begin = page.find("{{");
        const auto end = page.find("}}", begin);
        if (begin == std::string_view::npos || end == std::string_view::npos) break;
        result += page.substr(0, begin);
        const std::string_view name = page.substr(begin + 2, end - begin - 2);
        for (const auto& [known, text] : parts) {
            if (known == name) result += text;
        }
        page.remove_prefix(end + 2);
    }
    return result += page;
}

}  // namespace coll_topo::tool
