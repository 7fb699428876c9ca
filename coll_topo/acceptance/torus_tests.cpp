// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/acceptance/torus_tests.hpp"
#include "coll_topo/acceptance/open_test.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace coll_topo::acceptance {

namespace {

constexpr int most_steps = 3;  // that hosts may stand away from a cable whose own hosts cannot test it

/// One direction of one cable of a torus.
struct Step {
    std::int64_t cell;
    int dimension;
    bool positive;
};

class TorusTests {
public:
    TorusTests(const Fabric& fabric, LinkGraph& graph, const LinkCapacities& capacities, const std::vector<int>& hosts)
        : fabric_(fabric),
          torus_(*fabric.torus()),
          graph_(graph),
          capacities_(capacities),
          host_of_cell_(static_cast<std::size_t>(torus_.cells()), -1) {
        for (const int host : hosts) host_of_cell_[static_cast<std::size_t>(fabric.cell(host))] = host;
    }

    std::vector<CableTest> find(const std::vector<int>& hosts) {
        for (const Step& step : steps()) add_link(step);
        if (graph_.hosts_have_cables()) {
            for (const int host : hosts) {
                add_host_cable(host, true);
                add_host_cable(host, false);
            }
        }
        return std::move(tests_);
    }

private:
    std::int64_t number(const Step& step) const {
        const auto dimensions = static_cast<std::int64_t>(torus_.dimensions().size());
        return (step.cell * dimensions + step.dimension) * 2 + (step.positive ? 0 : 1);
    }

    std::int64_t target(const Step& step) const { return torus_.link_target(number(step)); }

    /// Cables of a ring in two classes of which no two meet, and a third of one cable where the ring is odd: so each
    /// class is a round.
    int ring_class(const Step& step) const {
        const std::int64_t start = step.positive ? step.cell : target(step);
        const int place = torus_.coordinate(start, step.dimension);
        const int size = torus_.dimensions()[static_cast<std::size_t>(step.dimension)].size;
        return size % 2 == 1 && place == size - 1 ? 2 : place % 2;
    }

    std::vector<Step> steps() const {
        std::vector<std::tuple<int, int, bool, std::int64_t>> order;
        for (std::int64_t cell = 0; cell < torus_.cells(); ++cell) {
            for (int dimension = 0; dimension < static_cast<int>(torus_.dimensions().size()); ++dimension) {
                for (const bool positive : {true, false}) {
                    const Step step{cell, dimension, positive};
                    if (target(step) >= 0) order.emplace_back(dimension, ring_class(step), !positive, cell);
                }
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<Step> steps;
        for (const auto& [dimension, ring, negative, cell] : order) steps.push_back({cell, dimension, !negative});
        return steps;
    }

    /// The cell so many steps on, or -1.
    std::int64_t along(std::int64_t cell, int dimension, bool positive, int count) const {
        for (int i = 0; i < count && cell >= 0; ++i) cell = target({cell, dimension, positive});
        return cell;
    }

    /// Cells from which, or to which, routes in the order of dimensions may pass over a cable: on its line, or one step
    /// beside it in a dimension that comes earlier, for those that send, or later.
    std::vector<std::int64_t> cells_near(std::int64_t cell, const Step& step, bool sends) const {
        std::vector<std::int64_t> cells = {cell};
        const auto dimensions = static_cast<int>(torus_.dimensions().size());
        for (int other = sends ? 0 : step.dimension + 1; other < (sends ? step.dimension : dimensions); ++other) {
            for (const bool positive : {true, false}) cells.push_back(along(cell, other, positive, 1));
        }
        for (int count = 1; count <= most_steps; ++count) {
            cells.push_back(along(cell, step.dimension, step.positive != sends, count));
        }
        return cells;
    }

    int host_at(std::int64_t cell) const { return cell < 0 ? -1 : host_of_cell_[static_cast<std::size_t>(cell)]; }

    /// By the two hosts at the ends of the cable where they can fill it, and else by others near it too.
    void add_link(const Step& step) {
        OpenTest test;
        for (const std::int64_t from : cells_near(step.cell, step, true)) {
            for (const std::int64_t to : cells_near(target(step), step, false)) {
                if (offer(test, step, host_at(from), host_at(to))) return keep(test);
            }
        }
        keep(test);
    }

    /// True if the test is full.
    bool offer(OpenTest& test, const Step& step, int from, int to) {
        if (from < 0 || to < 0 || from == to) return false;
        route_.clear();
        torus_.route(fabric_.cell(from), fabric_.cell(to), route_);
        const auto place = std::find(route_.begin(), route_.end(), number(step));
        if (place == route_.end()) return false;
        Message message{from, to};
        graph_.route(from, to, message.links);
        const auto before = static_cast<std::size_t>(place - route_.begin()) + (graph_.hosts_have_cables() ? 1 : 0);
        const int link = message.links[before];
        test.offer(link, std::move(message), capacities_);
        return test.is_full(capacities_.of_link[static_cast<std::size_t>(link)]);
    }

    /// As many neighbours as it takes to fill a host's own cable.
    void add_host_cable(int host, bool up) {
        OpenTest test;
        for (int dimension = 0; dimension < static_cast<int>(torus_.dimensions().size()); ++dimension) {
            for (const bool positive : {true, false}) {
                const int other = host_at(along(fabric_.cell(host), dimension, positive, 1));
                if (other < 0 || other == host) continue;
                Message message = up ? Message{host, other} : Message{other, host};
                graph_.route(message.from, message.to, message.links);
                const int link = up ? message.links.front() : message.links.back();
                test.offer(link, std::move(message), capacities_);
            }
        }
        keep(test);
    }

    void keep(const OpenTest& test) {
        if (!test.test().messages.empty()) tests_.push_back(test.test());
    }

    const Fabric& fabric_;
    const Torus& torus_;
    LinkGraph& graph_;
    const LinkCapacities& capacities_;
    std::vector<int> host_of_cell_;
    std::vector<CableTest> tests_;
    std::vector<std::int64_t> route_;
};

}  // namespace

std::vector<CableTest> find_torus_tests(const Fabric& fabric, LinkGraph& graph, const LinkCapacities& capacities,
                                        const std::vector<int>& hosts) {
    return TorusTests(fabric, graph, capacities, hosts).find(hosts);
}

}  // namespace coll_topo::acceptance
