// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/format_option.hpp"

namespace coll_topo::tool {

command_line::Option format_option(Format& format) {
    const auto set = [&format](const std::string& name) {
        format = name == "json" ? Format::json : name == "csv" ? Format::csv : Format::text;
    };
    return {"--format",
            "FORMAT",
            "text (default), json or csv",
            set,
            {.limit = command_line::OneOf{{"text", "json", "csv"}}}};
}

}  // namespace coll_topo::tool
