// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/accept/acceptance.hpp"

#include "coll_topo/input/topology_file.hpp"
#include "coll_topo/tool/accept/page_text.hpp"
#include "coll_topo/tool/accept/report_text.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace coll_topo::tool {
namespace {

struct Site {
    TopologyFile file = *read_topology_text("TorusName=t Dims=2 Nodes=a,b\n", "t.conf");
    Acceptance acceptance{file.fabric, "<t>.conf", "coll-topo accept", "today", "1", {}};

    /// All that a good cluster has, but cables.
    Site() {
        acceptance.limits.cables_asked = false;
        acceptance.hosts = HostStage{"m", {{"a", {{"kernel", "6"}}}, {"b", {{"kernel", "6"}}}}};
        acceptance.results = ResultStage{true, {{"bcast", "ring", 4, 4, 0, ""}}, ""};
        SpeedCase speed;
        speed.collective = "bcast";
        speed.bytes = 8;
        speed.components = {{"topo", {2e-6, 1e-6}}, {"tuned", {3e-6, 2e-6}}};
        speed.best_other = "tuned";
        speed.slower = -1.0 / 3;
        speed.predicted = 2e-6;
        acceptance.speed = SpeedStage{{speed}, {}, ""};
    }

    Outcome of(const std::string& name) const {
        const auto all = conditions_of(acceptance);
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
        return found == all.end() ? Outcome::not_required : found->outcome;
    }
    bool accepted() const { return is_accepted(conditions_of(acceptance)); }
};

TEST(Acceptance, AcceptsWhatMeetsAllConditions) {
    EXPECT_TRUE(Site().accepted());
}

TEST(Acceptance, RefusesForOneConditionWhateverCouldNotBeTested) {
    Site site;
    site.acceptance.hosts.reset();
    EXPECT_FALSE(is_refused(conditions_of(site.acceptance)));
    site.acceptance.results->checks[0].wrong = 1;
    EXPECT_TRUE(is_refused(conditions_of(site.acceptance)));
}

TEST(Acceptance, WhatWasNotTestedIsNeverMet) {
    Site site;
    site.acceptance.limits.cables_asked = true;
    EXPECT_EQ(site.of("cables"), Outcome::not_tested);
    EXPECT_FALSE(site.accepted());
    for (const auto& remove : std::vector<void (*)(Acceptance&)>{
             [](Acceptance& acceptance) { acceptance.hosts.reset(); },
             [](Acceptance& acceptance) { acceptance.results.reset(); },
             [](Acceptance& acceptance) { acceptance.results->complete = false; },
             [](Acceptance& acceptance) { acceptance.results->checks[0].served = 0; },
             [](Acceptance& acceptance) { acceptance.speed.reset(); },
             [](Acceptance& acceptance) { acceptance.speed->missing = {"reduce"}; },
             [](Acceptance& acceptance) { acceptance.speed->cases[0].predicted.reset(); },
             [](Acceptance& acceptance) { acceptance.speed->cases[0].best_other.clear(); }}) {
        Site less;
        remove(less.acceptance);
        EXPECT_FALSE(less.accepted());
        EXPECT_NE(junit_text(less.acceptance).find("<error "), std::string::npos);
    }
}

TEST(Acceptance, RefusesWhatIsWrong) {
    Site site;
    site.acceptance.hosts->ranks.pop_back();
    EXPECT_EQ(site.of("absent-hosts"), Outcome::not_met);
    site.acceptance.limits.absent_hosts = 1;
    EXPECT_EQ(site.of("absent-hosts"), Outcome::met);
    site.acceptance.results->checks[0].wrong = 1;
    EXPECT_EQ(site.of("results"), Outcome::not_met);
    site.acceptance.speed->cases[0].lost = true;
    EXPECT_EQ(site.of("most-slower"), Outcome::not_met);
    site.acceptance.speed->cases[0].predicted = 0.5e-6;
    EXPECT_EQ(site.of("prediction-factor"), Outcome::not_met);
    site.acceptance.limits.prediction_factor.reset();
    EXPECT_EQ(site.of("prediction-factor"), Outcome::not_required);
}

TEST(Acceptance, ComparesWithABaseline) {
    Site site;
    site.acceptance.baseline = Baseline{"then", {}, {{{"bcast", 8}, {1e-6, 0.5e-6}}}};
    EXPECT_EQ(site.of("worse-than-before"), Outcome::not_met);
    site.acceptance.baseline->times.begin()->second = {2e-6, 1e-6};
    EXPECT_EQ(site.of("worse-than-before"), Outcome::met);
    site.acceptance.baseline->times.clear();
    EXPECT_EQ(site.of("worse-than-before"), Outcome::not_tested);
}

TEST(Acceptance, ThePageHasTheVerdictAndNothingThatIsNotEscaped) {
    Site site;
    site.acceptance.hosts->ranks[0].facts["kernel"] = "<script>&\"";
    const std::string page = page_of(site.acceptance);
    EXPECT_NE(page.find("<h1 id=\"verdict\">Accepted</h1>"), std::string::npos);
    EXPECT_NE(page.find("&lt;t&gt;.conf"), std::string::npos);
    EXPECT_EQ(page.find("<script>&"), std::string::npos);
    EXPECT_NE(page.find("&lt;script&gt;&amp;&quot;"), std::string::npos);
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_EQ(page.find("https:"), std::string::npos);
    EXPECT_EQ(page.find("http:"), page.find("http://www.w3.org/2000/svg"));
    site.acceptance.interrupted = "ctrl-C";
    EXPECT_NE(page_of(site.acceptance).find("This report is incomplete: ctrl-C"), std::string::npos);
}

}  // namespace
}  // namespace coll_topo::tool
