// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/drawing/svg.hpp"
#include "coll_topo/tool/accept/report_text.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace coll_topo::tool {

namespace {

std::string test_case(const Condition& condition, const std::string& details) {
    std::string text = fmt::format("    <testcase classname=\"coll-topo.accept\" name=\"{}: {}\"",
                                   escaped(condition.name), escaped(condition.what));
    const std::string message = escaped(condition.found.empty() ? "not tested" : condition.found);
    switch (condition.outcome) {
        case Outcome::met:
        case Outcome::not_required:
            return text + "/>\n";
        case Outcome::not_met:
            return text + fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n", message,
                                      escaped(details));
        case Outcome::not_tested:
            break;
    }
    return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", message);
}

/// What there is to know of a condition that is not met.
std::string details_of(const Condition& condition, const Acceptance& acceptance) {
    std::string details;
    if (condition.name != "cables" || !acceptance.cables) return condition.found;
    for (const CableFault& fault : faults_of(*acceptance.cables)) details += fault.what + "; " + fault.to_do + "\n";
    for (const std::string& test : not_explained(*acceptance.cables)) details += "not explained: " + test + "\n";
    for (const std::string& test : doubtful(*acceptance.cables)) details += "another result each time: " + test + "\n";
    return details;
}

}  // namespace

std::string junit_text(const Acceptance& acceptance) {
    const auto conditions = conditions_of(acceptance);
    const auto count = [&](Outcome outcome) {
        return std::count_if(conditions.begin(), conditions.end(),
                             [&](const Condition& condition) { return condition.outcome == outcome; });
    };
    // What could not be tested must not look like success where only failures count.
    const auto untested = count(Outcome::not_tested);
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"coll-topo accept {}\" "
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
        escaped(acceptance.fabric.summary()), conditions.size() + 1, count(Outcome::not_met), untested > 0 ? 1 : 0,
        untested);
    for (const Condition& condition : conditions) text += test_case(condition, details_of(condition, acceptance));
    text += "    <testcase classname=\"coll-topo.accept\" name=\"every condition was tested\"";
    text += untested == 0 ? "/>\n"
                          : fmt::format(">\n      <error message=\"{} not tested{}\"/>\n    </testcase>\n", untested,
                                        acceptance.interrupted.empty() ? "" : ": " + escaped(acceptance.interrupted));
    return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace coll_topo::tool
