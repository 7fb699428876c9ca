// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/platform.hpp"

#include <xbt/log.h>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace coll_topo::simulate {
namespace {

namespace s4u = simgrid::s4u;

// SimGrid weighs a flow by one over the latency of its route. So that all weigh the same, every route has this latency,
// and a factor, computed for each message, turns it into the true one.
constexpr double uniform_latency = 1;
constexpr double unlimited = 1e18;  // bytes/s

/// Routes between ranks by way of the link graph.
class FabricZone : public simgrid::kernel::routing::NetZoneImpl {
public:
    FabricZone(LinkGraph& graph, const Placement& placement)
        : NetZoneImpl("fabric"), graph_(graph), placement_(placement) {}

    void create_links() {
        for (std::size_t link = 0; link < graph_.links().size(); ++link) {
            // A link without a bandwidth is not in use, but SimGrid wants one.
            const double stated = graph_.links()[link].bandwidth;
            const double bandwidth = stated > 0 ? stated : 1.0;
            links_.push_back(get_iface()->create_link("link " + std::to_string(link), bandwidth)->seal());
        }
        for (std::size_t rank = 0; rank < placement_.size(); ++rank) {
            const std::string name = "within the host, to rank " + std::to_string(rank);
            within_host_.push_back(get_iface()->create_link(name, unlimited)->seal());
        }
    }

    /// Seconds from one rank to another.
    double latency(std::size_t from, std::size_t to) {
        double sum = 0;
        for (const int link : route(from, to)) sum += graph_.links()[link].latency;
        return sum;
    }

protected:
    void get_local_route(const simgrid::kernel::routing::NetPoint* from, const simgrid::kernel::routing::NetPoint* to,
                         simgrid::kernel::routing::Route* into, double* latency) override {
        if (latency != nullptr) *latency += uniform_latency;
        if (placement_[from->id()].host == placement_[to->id()].host) {
            into->link_list_.push_back(within_host_[to->id()]->get_impl());
            return;
        }
        for (const int link : route(from->id(), to->id())) into->link_list_.push_back(links_[link]->get_impl());
    }

private:
    const std::vector<int>& route(std::size_t from, std::size_t to) {
        route_.clear();
        graph_.route(placement_[from].host, placement_[to].host, route_);
        return route_;
    }

    LinkGraph& graph_;
    const Placement& placement_;
    std::vector<s4u::Link*> links_;
    std::vector<s4u::Link*> within_host_;  // by receiving rank: SimGrid wants a link for every message
    std::vector<int> route_;
};

/// SimGrid finds it again; it lives as long as the process.
void start_engine() {
    std::string name = "coll-topo", contexts = "--cfg=contexts/factory:ucontext";
    char* arguments[] = {name.data(), contexts.data(), nullptr};
#if defined(__SANITIZE_ADDRESS__)
    int count = 2;  // the sanitizer follows these contexts, but not those that SimGrid writes in assembly
#else
    int count = 1;
#endif
    new s4u::Engine(&count, arguments);
}

}  // namespace

void start_simgrid(double resolution) {
    xbt_log_control_set("root.thresh:error");
    // A simulation that gets stuck is reported as an error, with the place in the schedule.
    xbt_log_control_set("ker_engine.app:file:/dev/null");
    xbt_log_control_set("ker_engine.add:0");
    start_engine();
    constexpr std::pair<const char*, const char*> settings[] = {
        {"network/model", "CM02"},          // max-min fair
        {"network/bandwidth-factor", "1"},  // no corrections by measured factors, here ...
        {"network/weight-S", "0"},          // ... and in the weight of a flow
        {"network/crosstraffic", "no"},     // answers take no bandwidth
        {"network/TCP-gamma", "1e300"},     // no window limits a flow
        {"contexts/stack-size", "64"},      // KiB, for each lane of each rank
        {"contexts/guard-size", "0"},       // or many stacks would exceed the mappings a process may have
    };
    for (const auto& [name, value] : settings) s4u::Engine::set_config(std::string(name) + ":" + value);
    s4u::Engine::set_config("surf/precision", resolution);
}

Platform::Platform(LinkGraph& graph, const Placement& placement, double memory_bandwidth) : placement_(placement) {
    for (const Link& link : graph.links()) fastest_bandwidth_ = std::max(fastest_bandwidth_, link.bandwidth);
    auto* const zone = new FabricZone(graph, placement);  // owned by SimGrid
    zone->get_iface()->get_network_model()->set_lat_factor_cb(
        [zone](double, const s4u::Host* from, const s4u::Host* to, const auto&, const auto&) {
            return zone->latency(from->get_netpoint()->id(), to->get_netpoint()->id()) / uniform_latency;
        });
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        hosts_.push_back(zone->get_iface()->create_host("rank " + std::to_string(rank), 1.0)->seal());
    }
    zone->create_links();
    std::map<int, int> ranks_of_host;
    for (const RankLocation& location : placement) ++ranks_of_host[location.host];
    for (const auto& [host, ranks] : ranks_of_host) {
        s4u::Host* const memory = zone->get_iface()->create_host("memory " + std::to_string(host), memory_bandwidth);
        memories_.emplace(host, Memory(memory->seal(), memory_bandwidth, ranks));
    }
    zone->get_iface()->seal();
}

}  // namespace coll_topo::simulate
