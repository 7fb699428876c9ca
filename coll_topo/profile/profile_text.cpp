// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/base/duration.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/profile/profile_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {

namespace {

constexpr std::size_t most_columns = 100;
constexpr std::size_t number_columns = 9;
/// The last one, which may go to a line of its own, is who ran the calls.
using Line = std::array<std::string, number_columns + 1>;

constexpr const char* explanation =
    "total: a rank's time in these calls, mean of all ranks; wait: share of it until the last rank had\n"
    "entered (bcast: the root); median: of a call as ranks see it; transfer: median from when the last\n"
    "rank entered until the last one left; predicted: what coll_topo expects of that. All calls are\n"
    "counted; after the first 64 of a kind, fewer and fewer of those on less than 16 KiB are timed.\n";

constexpr const char* of_requests =
    "i... and ..._init are nonblocking and persistent calls: from the start until all was done, in which\n"
    "the program may have computed, so that these times are in no sum.\n";

std::string bytes_from(const ProfileKey& key) {
    constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (!has_size(key.call)) return has_unequal_pieces(key.call) ? "any" : "-";
    std::uint64_t bytes = least_bytes_of(key.size_class);
    std::size_t unit = 0;
    for (; bytes >= 1024; ++unit) bytes /= 1024;
    return std::to_string(bytes) + " " + units[unit];
}

std::string text_of(const std::optional<double>& seconds) {
    return seconds ? duration_text(*seconds) : "-";
}

std::string share_text(const std::optional<double>& part, const std::optional<double>& all) {
    if (!part || !all || *all <= 0) return "-";
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", 100 * *part / *all);
    return text;
}

std::string run_by(const ProfileLine& line) {
    std::string text = line.key.run_by_text();
    if (line.key.passed_on && line.passing) text += ", passed on in " + duration_text(*line.passing);
    return text;
}

Line cells_of(const ProfileLine& line, int ranks) {
    const auto of_a_rank = line.total ? std::optional(*line.total / std::max(1, ranks)) : std::nullopt;
    return {line.key.call_text(),
            bytes_from(line.key),
            std::to_string(line.key.communicator.ranks),
            std::to_string(line.calls),
            text_of(of_a_rank),
            share_text(line.waiting, line.total),
            text_of(line.median),
            text_of(line.transfer),
            text_of(line.predicted),
            run_by(line)};
}

std::string head_of(const ProfileReport& report) {
    double seconds = 0, first = 0;
    for (const ProfileLine& line : report.lines) {
        if (line.key.form != CallForm::blocking) continue;
        seconds += line.total.value_or(0);
        first += line.first_seconds;
    }
    seconds /= std::max(1, report.job.profiled_ranks);
    first /= std::max(1, report.job.profiled_ranks);
    const bool of_all = report.job.profiled_ranks == report.job.ranks;
    std::string text = "profile of " + (of_all ? "" : std::to_string(report.job.profiled_ranks) + " of ") +
                       counted(report.job.ranks, "rank", "ranks") + ", " + duration_text(report.job.seconds) +
                       "; of that in collectives " + duration_text(seconds);
    if (report.job.seconds > 0) text += ", " + share_text(seconds, report.job.seconds);
    if (!of_all) text += "\nThe other ranks do not have coll_topo_profile set.";
    return text + "\nFirst calls of a kind, which make plans and connections, took " + duration_text(first) +
           " besides.\n";
}

}  // namespace

std::string profile_text(const ProfileReport& report) {
    std::vector<Line> lines = {
        {"collective", "from", "ranks", "calls", "total", "wait", "median", "transfer", "predicted", "run by"}};
    for (const ProfileLine& line : report.lines) lines.push_back(cells_of(line, report.job.profiled_ranks));
    std::array<std::size_t, number_columns> widths = {};
    std::size_t longest = 0;
    for (const Line& line : lines) {
        for (std::size_t column = 0; column < number_columns; ++column) {
            widths[column] = std::max(widths[column], line[column].size());
        }
        longest = std::max(longest, line.back().size());
    }
    const std::size_t narrow = std::accumulate(widths.begin(), widths.end(), number_columns + 1);
    const std::string gap(narrow + number_columns + longest <= most_columns ? 2 : 1, ' ');
    std::string text = head_of(report);
    if (report.lines.empty()) return text + "No collective was called on a communicator that coll_topo serves.\n";
    for (const Line& line : lines) {
        std::string shown;
        for (std::size_t column = 0; column < number_columns; ++column) {
            const std::string blanks(widths[column] - line[column].size(), ' ');
            shown += (column == 0 ? line[column] + blanks : blanks + line[column]) + gap;
        }
        if (gap.size() == 1) shown += ' ';
        const bool fits = shown.size() + line.back().size() <= most_columns;
        text += (fits ? shown : shown.substr(0, shown.find_last_not_of(' ') + 1) + "\n    by ") + line.back() + "\n";
    }
    text += explanation;
    if (std::ranges::any_of(report.lines, [](const auto& line) { return line.key.form != CallForm::blocking; })) {
        text += of_requests;
    }
    if (report.job.clock_error > 0)
        text += "Clocks of hosts were compared to " + duration_text(report.job.clock_error) + ".\n";
    return text;
}

}  // namespace coll_topo
