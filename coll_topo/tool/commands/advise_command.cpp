// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/decision.hpp"
#include "coll_topo/tool/commands/command.hpp"
#include "coll_topo/tool/output/format_option.hpp"
#include "coll_topo/tool/output/table.hpp"
#include "coll_topo/tool/profile/advice.hpp"
#include "coll_topo/tool/profile/profile_reader.hpp"

#include <fmt/format.h>
#include <memory>

namespace coll_topo::tool {

namespace {

struct Options {
    std::string profile;
    AdviceOptions advice;
    Format format = Format::text;
};

Cell seconds_cell(const std::optional<double>& seconds) {
    return seconds ? Cell(*seconds, duration_text(*seconds)) : Cell(JsonValue(), "-");
}

/// Short enough for lines of 100 columns.
std::string cut(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

Table advice_table(const Advice& advice) {
    Table table({{"collective", "collective"},
                 {"least_bytes", "from"},
                 {"ranks", "ranks"},
                 {"calls_of_rank", "calls"},
                 {"measured_seconds", "measured"},
                 {"without_seconds", "tuned"},
                 {"with_seconds", "coll_topo"},
                 {"gain", "gain"},
                 {"run_by", "by"}});
    for (const AdvisedLine& advised : advice.lines) {
        const ProfileKey& key = advised.line.key;
        const auto bytes = static_cast<std::int64_t>(least_bytes_of(key.size_class));
        const auto gain = advised.gain();
        const std::string name(call_name(key.call));
        table.add({name, Cell(JsonValue(bytes), has_size(key.call) ? bytes_text(static_cast<double>(bytes)) : "-"),
                   key.communicator.ranks, Cell(advised.calls_of_rank, fmt::format("{:.4g}", advised.calls_of_rank)),
                   seconds_cell(advised.line.transfer ? advised.line.transfer : advised.line.median),
                   seconds_cell(advised.without), seconds_cell(advised.with),
                   gain ? Cell(*gain, fmt::format("{:.2f}", *gain)) : Cell(JsonValue(), "-"),
                   Cell(JsonValue(advised.run_by), cut(advised.run_by, 35 - name.size()))});
    }
    return table;
}

void write_text(const ProfileReport& profile, const Advice& advice, std::ostream& out) {
    out << wrapped(fmt::format("On {}, {}.", advice.network, advice.placement), 4) << "\n";
    advice_table(advice).write_text(out);
    const double without = advice.without(), with = advice.with();
    out << "\nPredicted for each rank: ";
    if (with > 0) {
        out << fmt::format("{} with tuned, {} with coll_topo: {:.2f} times as fast.\n", duration_text(without),
                           duration_text(with), without / with);
    } else {
        out << "nothing, as nothing is known to compare.\n";
    }
    if (advice.unknown() > 0) {
        out << fmt::format("Not compared, as tuned's algorithm has no prediction: calls that took {}.\n",
                           duration_text(advice.unknown()));
    }
    out << fmt::format(
        "The profile is of {}. Waiting for ranks that come late is not in\n"
        "these times, and no network makes it shorter. measured: a call in the profile, from when the last\n"
        "rank entered; tuned, coll_topo: a call, predicted; calls: of each rank on average.\n",
        duration_text(profile.job.seconds));
}

void write_json(const Advice& advice, std::ostream& out) {
    JsonWriter json(out);
    json.member("version", 1);
    json.member("network", advice.network);
    json.member("placement", advice.placement);
    json.member("ranks", advice.ranks);
    json.member("without_seconds", advice.without());
    json.member("with_seconds", advice.with());
    json.member("not_compared_seconds", advice.unknown());
    advice_table(advice).write_json(json, "rows");
}

Expected<int> run_advise(const Options& options, const Console& console) {
    ASSIGN_OR_RETURN(const ProfileReport profile, read_profile(options.profile));
    ASSIGN_OR_RETURN(const Advice advice, advise(profile, options.advice));
    for (const std::string& note : advice.notes) console.notes << "note: " << note << "\n";
    if (options.format == Format::csv) {
        advice_table(advice).write_csv(console.out);
    } else if (options.format == Format::json) {
        write_json(advice, console.out);
    } else {
        write_text(profile, advice, console.out);
    }
    return exit_success;
}

}  // namespace

Command advise_command() {
    const auto options = std::make_shared<Options>();
    return {{"advise",
             "Predicts what the collectives of a profile would take on a network, without coll_topo and with it.",
             {{"PROFILE", "", "what coll_topo_profile wrote", &options->profile, {.required = true}},
              {"FILE", "", "the topology file, see coll-topo.conf(5)", &options->advice.file, {.required = true}},
              {"--hosts", "LIST",
               "hosts for the ranks in their order, such as n[00-07]; default: those of the profile if FILE has them, "
               "else all of FILE",
               &options->advice.hosts},
              {"--ranks-per-host", "K", "consecutive ranks on each host; default: as many as in the profile",
               &options->advice.ranks_per_host},
              {"--rules", "FILE", "a file of rules, see coll-topo-rules.conf(5)", &options->advice.rules},
              format_option(options->format)},
             {"coll-topo advise profile.json cluster.conf"}},
            [options](const Console& console) { return run_advise(*options, console); }};
}

}  // namespace coll_topo::tool
