// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/commands/accept_options.hpp"

#include "coll_topo/base/text.hpp"
#include "coll_topo/tool/output/format_option.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

bool AcceptOptions::has(const std::string& stage) const {
    if (!measured.empty()) return stage == "cables";
    if (!stages.empty()) return std::find(stages.begin(), stages.end(), stage) != stages.end();
    return !output.empty() || stage == "hosts" || stage == "cables";
}

std::string AcceptOptions::sizes_or_default() const {
    if (!sizes.empty()) return sizes;
    return quick ? "8,4KiB,64KiB,1MiB" : "8:64MiB:x8";
}

std::string AcceptOptions::command_text() const {
    std::string text = "coll-topo accept " + file;
    if (quick) text += " --quick";
    if (!stages.empty()) text += fmt::format(" --stages {}", fmt::join(stages, ","));
    if (collectives != "all") text += " --collectives " + collectives;
    if (!sizes.empty()) text += " --sizes " + sizes;
    if (!conditions.empty()) text += fmt::format(" --condition {}", fmt::join(conditions, ","));
    if (!conditions_file.empty()) text += " --conditions " + conditions_file;
    if (!measured.empty()) text += " --measured " + measured;
    if (!output.empty()) text += " --output " + output;
    if (!launcher.empty()) text += fmt::format(" -- {}", fmt::join(launcher, " "));
    return text;
}

command_line::Subcommand accept_usage(const std::shared_ptr<AcceptOptions>& options) {
    using command_line::Between, command_line::Sign;
    return {
        "accept",
        "Says whether a cluster is what its file says, and what coll_topo gains on it.",
        {{"FILE", "", "the topology file, see coll-topo.conf(5)", &options->file, {.required = true}},
         {"LAUNCHER", "WORDS",
          "after --: the command that starts the measuring programs; default: mpirun with a rank on each host",
          &options->launcher},
         {"--output", "FOLDER", "writes a report: index.html, results.json, junit.xml", &options->output},
         {"--stages", "",
          "what to do, with commas: hosts, cables, results, speed; default: the first two, with --output all",
          [options](const std::string& words) {
              for (const std::string_view word : split(words, ',')) options->stages.emplace_back(word);
          }},
         {"--quick", "", "measures the speed at four sizes, for a few seconds each", &options->quick},
         {"--sizes", "", "of which the speed is measured, as of coll-topo-bench; default: 8:64MiB:x8", &options->sizes},
         {"--collectives", "", "of which the speed is measured, with commas; default: all", &options->collectives},
         {"--condition", "NAME=VALUE", "conditions of the verdict, with commas: most-slower=10%,prediction-factor=any",
          [options](const std::string& words) {
              for (const std::string_view word : split(words, ',')) options->conditions.emplace_back(word);
          }},
         {"--conditions", "FILE", "a file of such conditions, one on a line", &options->conditions_file},
         {"--baseline", "JSON", "results.json of an earlier run: what got worse since", &options->baseline},
         {"--resume", "", "goes on with what an interrupted run has left in the folder of the report",
          &options->resume},
         {"--corrected", "", "also writes corrected.conf into the report: the network as it was found",
          &options->corrected},
         {"--dry-run", "", "tests nothing, only says in how many rounds, and how long it would take",
          &options->dry_run},
         {"--measured", "JSON", "judges what coll-topo-measure has written of cables", &options->measured},
         {"--least-share",
          "SHARE",
          "a cable is at fault below this share of its bandwidth; default: 0.8",
          &options->least_share,
          {.limit = Between{0.05, 0.99}}},
         {"--round-limit",
          "S",
          "seconds after which a round ends, and a host that has not answered is left out; default: 10",
          &options->seconds_of_round,
          {.limit = Sign::positive}},
         {"--stage-limit",
          "S",
          "seconds after which each job is ended; default: 600",
          &options->seconds_of_stage,
          {.limit = Sign::positive}},
         format_option(options->format)},
        {"coll-topo accept cluster.conf --dry-run",
         "coll-topo accept cluster.conf --output report -- mpirun -hostfile hosts -npernode 1"}};
}

}  // namespace coll_topo::tool
