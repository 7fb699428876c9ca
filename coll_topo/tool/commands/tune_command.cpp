// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/output_file.hpp"
#include "coll_topo/tool/profile/profile_reader.hpp"
#include "coll_topo/tool/tune/profile_results.hpp"
#include "coll_topo/tool/tune/tuning.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coll_topo::tool {

namespace {

struct TuneOptions {
    std::vector<std::string> results;
    std::string previous = "tuned";
    std::string output;
};

Expected<int> run_tune(const TuneOptions& options, const Console& console) {
    std::vector<BenchRun> runs;
    std::string remarks;
    for (const std::string& file : options.results) {
        ASSIGN_OR_RETURN(const std::string text, read_text(file));
        if (is_profile(text)) {
            ASSIGN_OR_RETURN(const ProfileReport profile, parse_profile(text, file));
            for (BenchRun& run : results_of(profile, file)) runs.push_back(std::move(run));
            remarks += worth_measuring(profile, file);
        } else {
            ASSIGN_OR_RETURN(auto run, parse_bench_results(text, file));
            runs.push_back(std::move(run));
        }
    }
    const Tuning tuning = tune(runs, options.previous);
    for (const std::string& note : tuning.notes) console.notes << "note: " << note << "\n";
    const std::string text = tuning_text(tuning, runs, options.previous) + remarks;
    if (options.output.empty()) {
        console.out << text;
        return exit_success;
    }
    RETURN_IF_ERROR(write_file(options.output, text));
    return exit_success;
}

}  // namespace

Command tune_command() {
    const auto options = std::make_shared<TuneOptions>();
    return {{"tune",
             "Writes a file of rules from measurements, for you to review.",
             {{"RESULTS",
               "",
               "what coll-topo-bench --format json wrote, or coll_topo_profile",
               &options->results,
               {.required = true}},
              {"--previous", "COMPONENT", "the component whose times are those of the previous module; default: tuned",
               &options->previous},
              {"--output", "FILE", "writes the rules to a file; default: standard output", &options->output}},
             {"coll-topo tune results.json --output rules.conf"}},
            [options](const Console& console) { return run_tune(*options, console); }};
}

}  // namespace coll_topo::tool
