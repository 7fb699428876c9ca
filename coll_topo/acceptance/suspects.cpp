// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/suspects.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr std::size_t most_links = 40;        // that are suspected
constexpr std::size_t most_hosts = 16;        // that are suspected to be elsewhere
constexpr std::size_t most_other_hosts = 64;  // with which they may be swapped
constexpr std::size_t most_leaves = 64;       // to which they may have been moved
constexpr std::size_t most_work = 3'000'000;  // tests that are thought through for all faults together
constexpr std::size_t least_faults = 60;
constexpr std::size_t most_dimensions = 4;  // whose orders are tried
constexpr double fast = 0.95;  // a link that carries more is not slow; others may be slower than was thought
constexpr double dead = 0.03;  // a link that carries less of its bandwidth carries nothing

class Suspicion {
public:
    Suspicion(const CablePlan& plan, const Fabric& file, const LinkGraph& graph, const Cluster& cluster,
              const Shortfall& shortfall)
        : plan_(plan), file_(file), graph_(graph), cluster_(cluster), shortfall_(shortfall) {}

    std::vector<Fault> find() {
        weigh();
        add_links();
        add_missing_cables();
        for (const Fault& fault : orders(file_)) add(fault);
        add_hosts();
        const std::size_t most = std::max(least_faults, most_work / (1 + plan_.tests.size()));
        if (faults_.size() > most) faults_.resize(most);
        return std::move(faults_);
    }

private:
    struct LinkRecord {
        double weight = 0;
        std::vector<double> shares = {};  ///< of the slow tests alone that use it
    };

    /// How much of the shortfall touches each link and host, by the routes of the file.
    void weigh() {
        for (std::size_t i = 0; i < plan_.tests.size(); ++i) {
            const double far = shortfall_.alone[i] + shortfall_.together[i];
            if (far <= 0) continue;
            std::set<int> links;
            for (const Message& message : plan_.tests[i].messages) {
                weight_of_host_[message.from] += far;
                weight_of_host_[message.to] += far;
                links.insert(message.links.begin(), message.links.end());
            }
            for (const int link : links) {
                LinkRecord& record = links_[link];
                record.weight += far;
                if (shortfall_.alone[i] > 0) record.shares.push_back(shortfall_.share[i]);
            }
        }
        for (std::size_t i = 0; i < plan_.pairs.size(); ++i) {
            if (shortfall_.latency[i] <= 0) continue;
            const LatencyTest& pair = plan_.pairs[i];
            weight_of_host_[pair.there.from] += shortfall_.latency[i];
            weight_of_host_[pair.there.to] += shortfall_.latency[i];
        }
    }

    /// The keys with the largest weights, the largest first.
    template <typename Map, typename Weight>
    static std::vector<int> heaviest(const Map& map, std::size_t most, Weight weight) {
        std::vector<int> keys;
        for (const auto& entry : map) keys.push_back(entry.first);
        std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return weight(map.at(a)) > weight(map.at(b)); });
        if (keys.size() > most) keys.resize(most);
        return keys;
    }

    void add_links() {
        for (const int link : heaviest(links_, most_links, [](const LinkRecord& record) { return record.weight; })) {
            const int first = std::min(link, graph_.opposite(link));
            const int lower = graph_.links()[static_cast<std::size_t>(first)].from;
            if (file_.torus() == nullptr && lower >= graph_.hosts()) switches_.insert(lower);
            std::vector<double> shares = links_.at(link).shares;
            if (shares.empty()) continue;
            std::sort(shares.begin(), shares.end());
            const double share = shares[shares.size() / 2];
            if (share >= dead && share < fast) add({FaultKind::slow_direction, ends_of(graph_, link), share});
            for (const LinkEnds& cable : cables_of(link)) {
                if (share < dead) {
                    add({FaultKind::dead_cable, cable});
                } else if (share < fast) {
                    add({FaultKind::slow_cable, cable, share});
                }
            }
        }
    }

    /// In a ring of two the file does not tell which direction back is in the same cable.
    std::vector<LinkEnds> cables_of(int link) const {
        const int other = graph_.opposite(link);
        const LinkEnds there = ends_of(graph_, std::min(link, other)), back = ends_of(graph_, std::max(link, other));
        std::vector<LinkEnds> cables = {there};
        if (there.number != back.number) cables.push_back({there.from, there.to, back.number});
        return cables;
    }

    /// The messages of a missing cable take the other cables up of its lower switch, and those are seen to be slow.
    void add_missing_cables() {
        for (int link = 0; link < static_cast<int>(graph_.links().size()); ++link) {
            const Link& ends = graph_.links()[static_cast<std::size_t>(link)];
            const bool goes_up = graph_.opposite(link) > link;
            // Parallel cables are alike: the fault is that of the first.
            if (goes_up && switches_.contains(ends.from)) add({FaultKind::missing_cable, {ends.from, ends.to, 0}});
        }
    }

    void add_hosts() {
        const auto weight = [](double value) { return value; };
        const std::vector<int> suspected = heaviest(weight_of_host_, most_hosts, weight);
        std::vector<int> others = heaviest(weight_of_host_, most_other_hosts, weight);
        for (int host = 0; host < file_.hosts.size() && others.size() < most_other_hosts; ++host) {
            if (!weight_of_host_.contains(host)) others.push_back(host);
        }
        for (const int host : suspected) {
            for (const int other : others) {
                if (other == host) continue;
                Fault fault{FaultKind::swapped_hosts};
                fault.host = std::min(host, other);
                fault.other = std::max(host, other);
                add(fault);
            }
        }
        add_moves(suspected);
    }

    void add_moves(const std::vector<int>& suspected) {
        const auto* const graph = std::get_if<SwitchGraph>(&cluster_.fabric.network);
        if (graph == nullptr) return;
        const std::set<int> leaves(graph->leaf_of_host.begin(), graph->leaf_of_host.end());
        for (const int host : suspected) {
            std::size_t tried = 0;
            const int place = cluster_.place[static_cast<std::size_t>(host)];
            for (const int leaf : leaves) {
                if (leaf == graph->leaf_of_host[static_cast<std::size_t>(place)] || tried++ == most_leaves) continue;
                Fault fault{FaultKind::moved_host};
                fault.host = host;
                fault.other = leaf;
                add(fault);
                fault.renumbered = true;
                add(fault);
            }
        }
    }

    void add(const Fault& fault) {
        const bool known = std::any_of(faults_.begin(), faults_.end(), [&](const Fault& other) {
            return fault.same_as(other) && fault.renumbered == other.renumbered;
        });
        if (!known) faults_.push_back(fault);
    }

    const CablePlan& plan_;
    const Fabric& file_;
    const LinkGraph& graph_;
    const Cluster& cluster_;
    const Shortfall& shortfall_;
    std::map<int, LinkRecord> links_;
    std::set<int> switches_;  // vertices, the lower ends of slow links
    std::map<int, double> weight_of_host_;
    std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> orders(const Fabric& file) {
    std::vector<Fault> faults;
    if (file.torus() == nullptr || file.torus()->dimensions().size() > most_dimensions) return faults;
    Fault fault{FaultKind::dimension_order};
    fault.order.resize(file.torus()->dimensions().size());
    std::iota(fault.order.begin(), fault.order.end(), 0);
    while (std::next_permutation(fault.order.begin(), fault.order.end())) faults.push_back(fault);
    return faults;
}

std::vector<Fault> suspects(const CablePlan& plan, const Fabric& file, const LinkGraph& graph, const Cluster& cluster,
                            const Shortfall& shortfall) {
    return Suspicion(plan, file, graph, cluster, shortfall).find();
}

}  // namespace coll_topo::acceptance
