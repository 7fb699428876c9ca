// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo::tool {

/// What a cluster must fulfil to be accepted. Nothing: whatever it is, it is accepted.
struct AcceptanceLimits {
    bool hosts_asked = true, cables_asked = true, results_asked = true, speed_asked = true;  ///< stages of this run
    bool same_hosts = true;                         ///< versions, parameters and files are the same on all hosts
    bool right_results = true;                      ///< of all collectives that were tried
    std::optional<int> absent_hosts = 0;            ///< of the file, that may be missing in the job
    std::optional<double> least_share = 0.8;        ///< of its bandwidth that each cable carries
    std::optional<double> most_slower = 0.05;       ///< than the best other component, anywhere
    std::optional<double> prediction_factor = 2;    ///< between predicted and measured times
    std::optional<double> worse_than_before = 0.1;  ///< than the baseline, where there is one
};

/// Sets one by its name: "least-share=70%", "prediction-factor=any". Fails with what can be said.
Expected<void> set_limit(std::string_view words, const SourceLocation& where, AcceptanceLimits& limits);

/// Sets those of a file: one on a line, # begins a comment. `name` stands for the text in messages.
Expected<void> read_limits(std::string_view text, const std::string& name, AcceptanceLimits& limits);

}  // namespace coll_topo::tool
