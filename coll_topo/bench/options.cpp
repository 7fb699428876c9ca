// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/bench/options.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/bench/sizes.hpp"
#include "coll_topo/command_line/command_line.hpp"
#include "coll_topo/input/quantity.hpp"
#include "coll_topo/input/source_text.hpp"
#include "coll_topo/input/wording.hpp"
#include "coll_topo/mpi_run/nonblocking_form.hpp"

#include <algorithm>
#include <cctype>

namespace coll_topo::bench {

namespace {

/// As written on the command line.
struct Words {
    std::string collectives = "allreduce";
    std::string sizes = "8:4MiB:x4";
    std::string components;  // empty: depends on what is measured
    std::string tests;
    std::string format = "text";
};

constexpr const char* footer =
    "Start it with mpirun. Times are by rank 0's clock: a call begins at a moment that all ranks know\n"
    "beforehand, and ends with the slowest rank.\n\n"
    "Example:\n"
    "  mpirun -n 16 coll-topo-bench --collectives allreduce,bcast --sizes 64KiB:4MiB:x4\n\n"
    "Exit status: 0 all well; 1 a result was wrong, or a component could not be compared; 2 the command\n"
    "line is not understood. See coll-topo-bench(1).";

command_line::Usage usage(Options& options, Words& words) {
    using command_line::Between, command_line::Details, command_line::Sign;
    const Details has_default{.default_in_help = true};
    const Details not_negative{.limit = Sign::not_negative, .default_in_help = true};
    return {
        "coll-topo-bench",
        "Times the collectives of Open MPI's components side by side.",
        "coll-topo-bench " COLL_TOPO_VERSION,
        footer,
        {{"--collectives", "", "names with commas, or all", &words.collectives, has_default},
         {"--sizes", "", "bytes of a vector, or of all pieces of a rank: a list such as 64KiB,1MiB, or FROM:TO:xFACTOR",
          &words.sizes, has_default},
         {"--components", "",
          "names with commas; after a colon an algorithm that is forced, or all of them: tuned:ring, 'tuned:*'; "
          "default: topo,tuned, with --overlap topo,libnbc",
          &words.components},
         {"--overlap", "", "measures how much of the time of nonblocking calls computation hides", &options.overlap},
         {"--tests", "",
          "with --overlap, how often MPI_Test is called during the computation: numbers with commas; default: "
          "0,1,10,100",
          &words.tests},
         {"--repetitions",
          "",
          "calls of each component at each size",
          &options.repetitions,
          {.limit = Between{1, 1'000'000}, .default_in_help = true}},
         {"--back-to-back",
          "N",
          "times N calls one after the other, and divides by N: the rate of calls that do not wait for each other",
          &options.back_to_back,
          {.limit = Between{1, 1'000'000}, .default_in_help = true}},
         {"--seconds", "", "seconds for a size, shared by the components; what is slow is called less often",
          &options.seconds, not_negative},
         {"--give-up", "",
          "leaves out forced algorithms at larger sizes when they are expected to take this many times as long as the "
          "fastest of the same component; 0: never",
          &options.give_up, not_negative},
         {"--quiet", "", "waits at most this many seconds for a quiet machine before each size", &options.quiet_seconds,
          not_negative},
         {"--root", "", "the rank that has (bcast) or gets (reduce) the data", &options.root, not_negative},
         {"--in-place", "", "passes MPI_IN_PLACE", &options.in_place},
         {"--topology", "", "the topology file for the bounds; default: the one that coll_topo uses",
          &options.topology},
         {"--format", "", "text, csv or json", &words.format, has_default},
         {"--output", "", "writes the table to a file", &options.output},
         {"--svg", "", "plots the medians; one file for each collective if there are several", &options.svg},
         {"--progress", "", "says on standard error what is being measured", &options.progress}}};
}

bool can_be_measured(const Operation& operation, bool overlap) {
    return !overlap || nonblocking_form(operation) != nullptr;
}

Expected<std::vector<const Operation*>> parse_collectives(std::string_view text, bool overlap) {
    std::vector<const Operation*> found;
    std::vector<std::string_view> names;
    for (const Operation& operation : operations()) {
        if (can_be_measured(operation, overlap)) names.push_back(operation.name);
    }
    for (const Located& part : split(Located{text}, ',')) {
        if (part.text == "all") {
            for (const std::string_view name : names) found.push_back(find_operation(name));
            continue;
        }
        const Operation* const operation = find_operation(part.text);
        if (operation == nullptr || !can_be_measured(*operation, overlap)) {
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

Expected<std::vector<int>> parse_tests(std::string_view text) {
    constexpr int most = 1'000'000;
    std::vector<int> tests;
    for (const Located& part : split(Located{text}, ',')) {
        ASSIGN_OR_RETURN(const auto number, parse_integer(part, 0, most, "the calls of MPI_Test"));
        tests.push_back(static_cast<int>(number));
    }
    return tests;
}

/// What of a command line is for the overlap alone, or not for it.
Expected<void> interpret_overlap(const Words& words, Options& options) {
    if (!options.overlap) return words.tests.empty() ? Expected<void>{} : failure("--tests: only with --overlap");
    if (options.back_to_back > 1 || options.give_up > 0 || !options.svg.empty()) {
        return failure("--overlap: not with --back-to-back, --give-up or --svg");
    }
    for (const ComponentName& name : options.components) {
        if (!name.algorithm.empty()) {
            return failure("--overlap: components choose their algorithms, so not with " + in_quotes(name.text()) +
                           "; a parameter such as coll_topo_allreduce_algorithm can force one for the whole run");
        }
    }
    auto tests = parse_tests(words.tests.empty() ? "0,1,10,100" : words.tests);
    if (!tests) return failure("--tests: " + tests.error().message);
    options.tests = std::move(*tests);
    return {};
}

Expected<void> interpret(const Words& words, Options& options) {
    auto collectives = parse_collectives(words.collectives, options.overlap);
    if (!collectives) return failure("--collectives: " + collectives.error().message);
    options.collectives = std::move(*collectives);
    auto sizes = parse_sizes(words.sizes);
    if (!sizes) return failure("--sizes: " + sizes.error().message);
    options.sizes = std::move(*sizes);
    if (options.give_up > 0 && options.give_up < 1) {
        return failure("--give-up: expected a factor of 1 or more, or 0 for never");
    }
    if (options.back_to_back > 1 && options.in_place) {
        return failure("--back-to-back: not with --in-place, where each call would work on the result of the last");
    }
    const std::string default_components = options.overlap ? "topo,libnbc" : "topo,tuned";
    const std::string& components = words.components.empty() ? default_components : words.components;
    for (const Located& part : split(Located{components}, ',')) {
        auto component = parse_component(part.text);
        if (!component) return failure("--components: " + component.error().message);
        options.components.push_back(std::move(*component));
    }
    RETURN_IF_ERROR(interpret_overlap(words, options));
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
    Options options;
    Words words;
    ASSIGN_OR_RETURN(const auto parsed, command_line::read(usage(options, words), argc, argv));
    if (!parsed.text.empty()) return CommandLine{std::nullopt, parsed.text};
    RETURN_IF_ERROR(interpret(words, options));
    options.command = command_text(argc, argv);
    return CommandLine{std::move(options), ""};
}

}  // namespace coll_topo::bench
