// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/tune/bench_results.hpp"

#include "test/fuzz/error_place.hpp"
#include "test/fuzz/readers.hpp"

#include "coll_topo/select/rules_file.hpp"
#include "coll_topo/tool/tune/tuning.hpp"

namespace coll_topo::fuzz {

/// Rules that are made from results are such as a file of rules can have.
std::string results_complaint(std::string_view bytes) {
    const auto run = tool::parse_bench_results(bytes, text_name);
    if (!run) return run.error().message.empty() ? "an error without a message" : "";
    const tool::Tuning tuning = tool::tune({*run}, "tuned");
    Rules expected;
    for (const tool::TunedCollective& tuned : tuning.collectives) {
        for (const tool::TunedStretch& stretch : tuned.stretches) {
            if (stretch.rule) expected.push_back(*stretch.rule);
        }
    }
    const std::string text = tool::tuning_text(tuning, {*run}, "tuned");
    const auto rules = read_rules_text(text, text_name);
    if (!rules) return "makes rules that cannot be read: " + rules.error().text() + "\n" + text;
    return digest_of(*rules) == digest_of(expected) ? "" : "other rules than were chosen:\n" + text;
}

}  // namespace coll_topo::fuzz
