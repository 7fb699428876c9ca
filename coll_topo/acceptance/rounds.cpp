// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/rounds.hpp"

#include "coll_topo/acceptance/link_load.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <utility>

namespace coll_topo::acceptance {

namespace {

/// In which rounds something is used, a bit for each.
class RoundSet {
public:
    void add(std::size_t round) {
        if (words_.size() <= round / bits) words_.resize(round / bits + 1);
        words_[round / bits] |= std::uint64_t{1} << round % bits;
    }
    void add_all(const RoundSet& other) {
        if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
        for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    }
    std::size_t first_free() const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (~words_[i] != 0) return i * bits + static_cast<std::size_t>(std::countr_one(words_[i]));
        }
        return words_.size() * bits;
    }

private:
    static constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> words_;
};

/// Gives each test the first round in which all that it uses is free.
class FirstFit {
public:
    explicit FirstFit(const LinkGraph& graph)
        : graph_(graph), of_host_(static_cast<std::size_t>(graph.hosts())), of_cable_(graph.links().size()) {}

    void add(const std::vector<const Message*>& messages) {
        std::vector<RoundSet*> used;
        for (const Message* message : messages) {
            used.push_back(&of_host_[static_cast<std::size_t>(message->from)]);
            used.push_back(&of_host_[static_cast<std::size_t>(message->to)]);
            for (const int link : message->links) {
                used.push_back(&of_cable_[static_cast<std::size_t>(std::min(link, graph_.opposite(link)))]);
            }
        }
        RoundSet taken;
        for (const RoundSet* set : used) taken.add_all(*set);
        const std::size_t round = taken.first_free();
        for (RoundSet* set : used) set->add(round);
        if (rounds_.size() <= round) rounds_.resize(round + 1);
        rounds_[round].push_back(count_++);
    }

    std::vector<Round> take() { return std::move(rounds_); }

private:
    const LinkGraph& graph_;
    std::vector<RoundSet> of_host_;
    std::vector<RoundSet> of_cable_;  // by the lower of its two links
    std::vector<Round> rounds_;
    int count_ = 0;
};

}  // namespace

double LatencyTest::seconds(const LinkGraph& graph) const {
    double sum = 0;
    for (const Message* message : {&there, &back}) {
        for (const int link : message->links) sum += graph.links()[static_cast<std::size_t>(link)].latency / 2;
    }
    return sum;
}

std::vector<LatencyTest> latency_tests(const std::vector<CableTest>& tests, LinkGraph& graph) {
    std::vector<LatencyTest> pairs;
    std::set<std::pair<int, int>> seen;
    for (const CableTest& test : tests) {
        const Message& there = test.messages.front();
        if (!seen.insert(std::minmax(there.from, there.to)).second) continue;
        Message back{there.to, there.from};
        graph.route(back.from, back.to, back.links);
        pairs.push_back({there, std::move(back)});
    }
    return pairs;
}

std::vector<Round> rounds_alone(const std::vector<CableTest>& tests, const LinkGraph& graph) {
    FirstFit rounds(graph);
    for (const CableTest& test : tests) {
        std::vector<const Message*> messages;
        for (const Message& message : test.messages) messages.push_back(&message);
        rounds.add(messages);
    }
    return rounds.take();
}

std::vector<Round> rounds_alone(const std::vector<LatencyTest>& tests, const LinkGraph& graph) {
    FirstFit rounds(graph);
    for (const LatencyTest& test : tests) rounds.add({&test.there, &test.back});
    return rounds.take();
}

std::vector<Round> rounds_together(const std::vector<CableTest>& tests, const LinkCapacities& capacities) {
    std::vector<Round> rounds;
    std::vector<bool> placed(tests.size(), false);
    for (std::size_t left = tests.size(); left > 0;) {
        LinkLoad load(capacities);
        Round& round = rounds.emplace_back();
        for (const bool again : {false, true}) {  // first the tests that had no round yet
            for (std::size_t i = 0; i < tests.size(); ++i) {
                if (placed[i] != again || !load.add(tests[i])) continue;
                round.push_back(static_cast<int>(i));
            }
        }
        for (const int test : round) {
            left -= placed[static_cast<std::size_t>(test)] ? 0 : 1;
            placed[static_cast<std::size_t>(test)] = true;
        }
        std::sort(round.begin(), round.end());
    }
    return rounds;
}

}  // namespace coll_topo::acceptance
