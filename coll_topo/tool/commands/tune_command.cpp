// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/output_file.hpp"
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
    for (const std::string& file : options.results) {
        auto run = read_bench_results(file);
        RETURN_IF_ERROR(run);
        runs.push_back(std::move(*run));
    }
    const Tuning tuning = tune(runs, options.previous);
    for (const std::string& note : tuning.notes) console.notes << "note: " << note << "\n";
    const std::string text = tuning_text(tuning, runs, options.previous);
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
             "Writes a file of rules from measurements, to be reviewed: the fastest for each collective and size.",
             {{"RESULTS", "", "what coll-topo-bench --format json wrote", &options->results, {.required = true}},
              {"--previous", "COMPONENT", "the component whose times are those of the previous module; default: tuned",
               &options->previous},
              {"--output", "FILE", "write the rules to a file", &options->output}}},
            [options](const Console& console) { return run_tune(*options, console); }};
}

}  // namespace coll_topo::tool
