// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/text_table.hpp"
#include "coll_topo/select/decision.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coll_topo {

/// A table for people with a line for each candidate.
class CandidateLines {
public:
    /// `before`: the columns to the left of the algorithm's. `numbers`: also aggregators and segments, if any is not 1.
    CandidateLines(std::vector<TextTable::Column> before, bool numbers, bool remarks, std::size_t indent)
        : before_(std::move(before)), numbers_(numbers), remarks_(remarks), indent_(indent) {}

    /// Without a candidate: the previous module.
    void add(std::vector<std::string> before, std::string name, const Candidate* candidate, std::string remark);

    std::string text() const;

private:
    struct Line {
        std::vector<std::string> before;
        std::string name;
        std::vector<std::string> numbers;  // of lanes, aggregators and segments
        std::string seconds, remark;
    };
    bool differs(std::size_t number) const;

    std::vector<TextTable::Column> before_;
    bool numbers_, remarks_;
    std::size_t indent_;
    std::vector<Line> lines_;
};

}  // namespace coll_topo
