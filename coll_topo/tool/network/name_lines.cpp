// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/network/name_lines.hpp"

namespace coll_topo::tool {

void write_names(std::ostream& out, const std::string& title, const std::vector<std::string>& names) {
    constexpr std::size_t line_width = 78;
    std::string line = title;
    for (const std::string& name : names) {
        if (line.size() + name.size() + 1 > line_width && line.size() > title.size()) {
            out << line << "\n";
            line.assign(title.size(), ' ');
        }
        line += " " + name;
    }
    out << line << "\n";
}

}  // namespace coll_topo::tool
