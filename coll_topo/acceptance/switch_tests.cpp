// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/switch_tests.hpp"

#include "coll_topo/acceptance/open_test.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr std::int64_t most_routes = 4'000'000;  // that are looked at: some seconds

class SwitchTests {
public:
    SwitchTests(const SwitchGraph& switches, LinkGraph& graph, const LinkCapacities& capacities,
                const std::vector<int>& hosts)
        : graph_(graph), capacities_(capacities), open_(graph.links().size()) {
        std::map<int, std::vector<int>> by_leaf;
        for (const int host : hosts) by_leaf[switches.leaf_of_host[static_cast<std::size_t>(host)]].push_back(host);
        for (auto& [leaf, own] : by_leaf) leaves_.push_back({std::move(own)});
        for (std::size_t link = 0; link < graph.links().size(); ++link) {
            const Link& ends = graph.links()[link];
            left_ += ends.from >= graph.hosts() && ends.to >= graph.hosts() ? 1 : 0;
        }
    }

    std::vector<CableTest> find() {
        add_host_cables();
        const auto count = leaves_.size();
        if (count > 1) {
            look(1, true, false);
            // Between the same hosts as upwards, so that one test of latency is for both.
            for (Leaf& leaf : leaves_) leaf.turn = leaf.hosts.size() - 1;
            look(count - 1, false, true);
        }
        for (std::size_t distance = 1; distance < count && left_ > 0 && routes_ < most_routes; ++distance) {
            look(distance, true, true);
        }
        for (OpenTest& test : open_) {
            if (!test.test().messages.empty()) tests_.push_back(test.test());
        }
        return std::move(tests_);
    }

private:
    struct Leaf {
        std::vector<int> hosts;
        std::size_t turn = 1;  ///< of the host that sends next; not the first to the first, see placement_rounds
    };

    void add(int from, int to, bool up, bool down) {
        Message message{from, to};
        if (from == to || !graph_.route(from, to, message.links)) return;
        for (const int link : {up ? message.links.front() : -1, down ? message.links.back() : -1}) {
            if (link < 0) continue;
            OpenTest test;
            test.offer(link, message, capacities_);
            tests_.push_back(test.test());
        }
    }

    /// Each host sends to the next one of its leaf; every second one first. The only host of a leaf talks to others.
    void add_host_cables() {
        for (std::size_t first = 0; first < 2; ++first) {
            for (const Leaf& leaf : leaves_) {
                for (std::size_t i = first; leaf.hosts.size() > 1 && i < leaf.hosts.size(); i += 2) {
                    add(leaf.hosts[i], leaf.hosts[(i + 1) % leaf.hosts.size()], true, true);
                }
            }
        }
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            if (leaves_[i].hosts.size() > 1) continue;
            const int other = leaves_[(i + 1) % leaves_.size()].hosts.front();
            add(leaves_[i].hosts.front(), other, true, false);
            add(other, leaves_[i].hosts.front(), false, true);
        }
    }

    /// The routes from each leaf to all hosts of the leaf so many further on, for links up, down, or both.
    void look(std::size_t distance, bool up, bool down) {
        for (std::size_t i = 0; i < leaves_.size() && left_ > 0; ++i) {
            for (const int to : leaves_[(i + distance) % leaves_.size()].hosts) offer(leaves_[i], to, up, down);
        }
    }

    /// Routes from all hosts of a leaf to a host differ in the first cable only.
    void offer(Leaf& leaf, int to, bool up, bool down) {
        ++routes_;
        links_.clear();
        if (!graph_.route(leaf.hosts.front(), to, links_)) return;
        for (std::size_t i = 1; i + 1 < links_.size(); ++i) {
            const int link = links_[i];
            const bool goes_up = graph_.opposite(link) > link;  // that direction comes first
            const double capacity = capacities_.of_link[static_cast<std::size_t>(link)];
            OpenTest& test = open_[static_cast<std::size_t>(link)];
            if (!(goes_up ? up : down) || test.is_full(capacity)) continue;
            if (send(test, link, leaf, to) && test.is_full(capacity)) --left_;
        }
    }

    /// The hosts of a leaf send in turn.
    bool send(OpenTest& test, int link, Leaf& leaf, int to) {
        for (std::size_t tried = 0; tried < leaf.hosts.size(); ++tried) {
            Message message{leaf.hosts[leaf.turn++ % leaf.hosts.size()], to};
            ++routes_;
            graph_.route(message.from, to, message.links);
            if (test.offer(link, std::move(message), capacities_)) return true;
        }
        return false;
    }

    LinkGraph& graph_;
    const LinkCapacities& capacities_;
    std::vector<Leaf> leaves_;
    std::vector<OpenTest> open_;  // by link, of those between switches
    std::int64_t left_ = 0;       // links between switches that are not full
    std::int64_t routes_ = 0;
    std::vector<CableTest> tests_;
    std::vector<int> links_;
};

}  // namespace

std::vector<CableTest> find_switch_tests(const SwitchGraph& switches, LinkGraph& graph,
                                         const LinkCapacities& capacities, const std::vector<int>& hosts) {
    return SwitchTests(switches, graph, capacities, hosts).find();
}

}  // namespace coll_topo::acceptance
