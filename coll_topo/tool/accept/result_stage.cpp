// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/result_stage.hpp"

#include "coll_topo/tool/output/json_number.hpp"

#include <stdexcept>

namespace coll_topo::tool {

Expected<ResultStage> read_results(std::string_view text, const std::string& name) {
    const auto wrong = [&](const std::exception& error) {
        return failure("not what coll-topo-measure --results writes: " + std::string(error.what()), {name});
    };
    try {
        const auto document = nlohmann::json::parse(text);
        if (whole_number(document, "version", 0) != 1) return failure("results of another version", {name});
        ResultStage stage{document.at("complete").get<bool>(), {}, document.at("missing").get<std::string>()};
        for (const auto& check : document.at("checks")) {
            const int calls = static_cast<int>(whole_number(check, "calls", 0));
            stage.checks.push_back({check.at("collective").get<std::string>(), check.at("algorithm").get<std::string>(),
                                    calls, static_cast<int>(whole_number(check, "served", 0, calls)),
                                    static_cast<int>(whole_number(check, "wrong", 0, calls)),
                                    check.at("first_wrong").get<std::string>()});
        }
        return stage;
    } catch (const nlohmann::json::exception& error) {
        return wrong(error);
    } catch (const std::out_of_range& error) {
        return wrong(error);
    }
}

}  // namespace coll_topo::tool
