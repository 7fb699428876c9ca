// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/options.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/bench/sizes.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace coll_topo::bench {

namespace {

/// As written on the command line.
struct Words {
    std::string collectives = "allreduce";
    std::string sizes = "8:4MiB:x4";
    std::string components = "topo,tuned";
    std::string format = "text";
};

constexpr const char* footer =
    "Start it with mpirun. Everything is counted as on rank 0's clock: a call begins when all ranks were told to "
    "begin\n"
    "and ends with the slowest rank.\n\n"
    "  mpirun -n 16 coll-topo-bench --collectives allreduce,bcast --sizes 64KiB:4MiB:x4 --components "
    "topo,tuned,basic\n\n"
    "Exit status: 0, 1 if a result was wrong or a component could not be compared, 2 if the command is wrong.";

void declare(CLI::App& app, Options& options, Words& words) {
    app.set_version_flag("--version", std::string("coll-topo-bench ") + COLL_TOPO_VERSION);
    app.add_option("--collectives", words.collectives, "Names with commas, or all")->capture_default_str();
    app.add_option("--sizes", words.sizes,
                   "Bytes of a vector, or of all pieces of a rank: a list such as 64KiB,1MiB, or FROM:TO:xFACTOR")
        ->capture_default_str();
    app.add_option("--components", words.components,
                   "Names with commas, each with an algorithm to force after a colon, or all of them: tuned:ring, "
                   "'tuned:*'")
        ->capture_default_str();
    app.add_option("--repetitions", options.repetitions, "Calls of each component at each size")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--seconds", options.seconds,
                   "Seconds for a size, shared by the components; what is slow is called less often")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--give-up", options.give_up,
                   "Leave out forced algorithms at larger sizes when they are expected to take so many times as long "
                   "as the fastest of the same component; 0: never")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--quiet", options.quiet_seconds,
                   "Wait at most so many seconds for a quiet machine before each size")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--root", options.root, "Rank that has (bcast) or gets (reduce) the data")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--in-place", options.in_place, "Pass MPI_IN_PLACE");
    app.add_option("--topology", options.topology,
                   "Topology file for the physical bounds. Default: the one that coll_topo uses");
    app.add_option("--format", words.format, "text, csv or json")->capture_default_str();
    app.add_option("--output", options.output, "Write the table to a file");
    app.add_option("--svg", options.svg, "Plot the medians; one file for each collective if there are several");
    app.add_flag("--progress", options.progress, "Say on standard error what is being measured");
}

Expected<std::vector<const Operation*>> parse_collectives(std::string_view text) {
    std::vector<const Operation*> found;
    std::vector<std::string_view> names;
    for (const Operation& operation : operations()) names.push_back(operation.name);
    for (const Located& part : split({text}, ',')) {
        if (part.text == "all") {
            for (const Operation& operation : operations()) found.push_back(&operation);
            continue;
        }
        const Operation* const operation = find_operation(part.text);
        if (operation == nullptr) {
            return failure("no collective " + in_quotes(part.text) + "; there are: " + alternatives(names) +
                           ", and all");
        }
        found.push_back(operation);
    }
    return found;
}

Expected<Format> parse_format(std::string_view text) {
    if (text == "text") return Format::text;
    if (text == "csv") return Format::csv;
    if (text == "json") return Format::json;
    return failure("no format " + in_quotes(text) + "; there are text, csv and json");
}

Expected<void> interpret(const Words& words, Options& options) {
    auto collectives = parse_collectives(words.collectives);
    if (!collectives) return failure("--collectives: " + collectives.error().message);
    options.collectives = std::move(*collectives);
    auto sizes = parse_sizes(words.sizes);
    if (!sizes) return failure("--sizes: " + sizes.error().message);
    options.sizes = std::move(*sizes);
    if (options.give_up > 0 && options.give_up < 1) {
        return failure("--give-up: expected a factor of 1 or more, or 0 for never");
    }
    for (const Located& part : split({words.components}, ',')) {
        auto component = parse_component(part.text);
        if (!component) return failure("--components: " + component.error().message);
        options.components.push_back(std::move(*component));
    }
    const auto format = parse_format(words.format);
    if (!format) return failure("--format: " + format.error().message);
    options.format = *format;
    return {};
}

std::string command_text(int argc, const char* const* argv) {
    constexpr std::string_view plain = "-_=+.,:/%@";
    std::string text = "coll-topo-bench";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const bool bare = !word.empty() && std::ranges::all_of(word, [&](unsigned char character) {
            return std::isalnum(character) != 0 || plain.find(static_cast<char>(character)) != plain.npos;
        });
        text += bare ? " " + std::string(word) : " '" + std::string(word) + "'";
    }
    return text;
}

}  // namespace

Expected<CommandLine> parse_command_line(int argc, const char* const* argv) {
    CLI::App app("Times the collectives of Open MPI's components side by side", "coll-topo-bench");
    Options options;
    Words words;
    declare(app, options, words);
    app.footer(footer);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return CommandLine{std::nullopt, app.help()};
    } catch (const CLI::CallForVersion& version) {
        return CommandLine{std::nullopt, std::string(version.what()) + '\n'};
    } catch (const CLI::ParseError& error) {
        return failure(error.what());
    }
    RETURN_IF_ERROR(interpret(words, options));
    options.command = command_text(argc, argv);
    return CommandLine{std::move(options), ""};
}

}  // namespace coll_topo::bench
