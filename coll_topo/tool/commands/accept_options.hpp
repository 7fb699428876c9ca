// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/acceptance/verdict.hpp"
#include "coll_topo/base/error.hpp"
#include "coll_topo/fabric/fabric.hpp"
#include "coll_topo/tool/accept/limits.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/table.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coll_topo::tool {

/// What the user of coll-topo accept asks for.
struct AcceptOptions {
    std::string file;
    bool dry_run = false;
    std::string measured;
    std::string output;
    bool corrected = false;
    bool resume = false;
    bool quick = false;
    std::string baseline;
    std::vector<std::string> stages;
    std::vector<std::string> conditions;
    std::string conditions_file;
    std::string collectives = "all";
    std::string sizes;
    double least_share = 0;  ///< 0: as the conditions say
    double seconds_of_round = 10;
    double seconds_of_stage = 600;
    Format format = Format::text;
    std::vector<std::string> launcher;

    bool has(const std::string& stage) const;
    std::string sizes_or_default() const;
    std::string command_text() const;  ///< to repeat it
};

/// The options as the command line has them.
command_line::Subcommand accept_usage(const std::shared_ptr<AcceptOptions>& options);

/// Says in how many rounds cables would be tested.
Expected<int> show_effort(const AcceptOptions& options, const Fabric& fabric, const Console& console);

}  // namespace coll_topo::tool
