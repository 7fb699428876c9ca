// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/select/candidate_lines.hpp"

#include "coll_topo/base/duration.hpp"

#include <algorithm>

namespace coll_topo {

void CandidateLines::add(std::vector<std::string> before, std::string name, const Candidate* candidate,
                         std::string remark) {
    const std::string none(1, '-');
    Line line{std::move(before), std::move(name), {}, {}, std::move(remark)};
    if (candidate != nullptr && candidate->standing != Standing::does_not_apply) {
        const Algorithm& algorithm = *candidate->algorithm;
        const Problem& problem = candidate->problem;
        line.numbers = {std::to_string(algorithm.uses_lanes ? problem.lanes : 1),
                        std::to_string(algorithm.uses_aggregators ? problem.aggregators : 1),
                        std::to_string(algorithm.uses_segments ? problem.segments : 1)};
        line.seconds = duration_text(candidate->seconds);
    } else {
        line.numbers = std::vector<std::string>(3, none);
        line.seconds = none;
    }
    lines_.push_back(std::move(line));
}

bool CandidateLines::differs(std::size_t number) const {
    return std::ranges::any_of(lines_, [&](const Line& line) {
        const std::string& text = line.numbers[number];
        return text != "-" && text != "1";
    });
}

std::string CandidateLines::text() const {
    std::vector<TextTable::Column> columns = before_;
    columns.push_back({"algorithm"});
    columns.push_back({"lanes", true});
    const bool aggregators = numbers_ && differs(1), segments = numbers_ && differs(2);
    if (aggregators) columns.push_back({"aggregators", true});
    if (segments) columns.push_back({"segments", true});
    columns.push_back({"predicted", true});
    if (remarks_) columns.push_back({""});
    TextTable table(std::move(columns), indent_, before_.size() + 1);
    for (const Line& line : lines_) {
        std::vector<std::string> row = line.before;
        row.insert(row.end(), {line.name, line.numbers[0]});
        if (aggregators) row.push_back(line.numbers[1]);
        if (segments) row.push_back(line.numbers[2]);
        row.push_back(line.seconds);
        if (remarks_) row.push_back(line.remark);
        table.add(std::move(row));
    }
    return table.text();
}

}  // namespace coll_topo
