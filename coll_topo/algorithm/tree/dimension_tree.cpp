// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/dimension_tree.hpp"

#include "coll_topo/algorithm/cost/shared_cable.hpp"
#include "coll_topo/algorithm/tree/place_tree.hpp"

#include <algorithm>
#include <cstdlib>

namespace coll_topo::dimension_tree {
namespace {

/// Seconds of the vector from one position of a line to another.
struct Message {
    double message_time;
    double transfer;  // over a link, while the rank may work on the next one
    double reduction;
    bool in_turn;  // the next one begins only then
    std::function<double(int from, int to)> latency;
};

/// Seconds until each child has its message.
std::vector<double> seconds_to_send(const TreeOnLine& line, int own, const Message& message) {
    const std::vector<int> children = line(own).children;
    std::vector<double> seconds;
    const bool waits = message.in_turn && message.transfer > message.message_time;  // a short one is soon gone
    if (waits) {
        for (const int child : children) {
            const double begin = seconds.empty() ? 0 : seconds.back();
            seconds.push_back(begin + message.message_time + message.transfer + message.latency(own, child));
        }
        return seconds;
    }
    std::vector<double> starts_below, starts_above;
    for (const int child : children) {
        const double start = static_cast<double>(starts_below.size() + starts_above.size() + 1) * message.message_time;
        (child < own ? starts_below : starts_above).push_back(start);
    }
    // Farther on, messages of the children are on the same links: in simulations they make these later by this much.
    const bool alone = std::ranges::all_of(children, [&](int child) { return line(child).children.empty(); });
    const auto ends = [&](const std::vector<double>& starts) {
        return shared_cable_ends(starts, (alone || starts.size() < 2 ? 1 : 1.2) * message.transfer);
    };
    const std::vector<double> below = ends(starts_below), above = ends(starts_above);
    auto next_below = below.begin(), next_above = above.begin();
    for (const int child : children) {
        seconds.push_back((child < own ? *next_below++ : *next_above++) + message.latency(own, child));
    }
    return seconds;
}

/// Seconds from when `own` has the vector until all positions below it do, and `own` has sent it; in reduce, the same
/// backwards.
double line_seconds(const TreeOnLine& line, int own, const Message& message) {
    const std::vector<int> children = line(own).children;
    if (message.reduction > 0) {
        double arrived = 0, done = 0;
        // The last child on the way down is the first to be folded in; their vectors share a link on their way.
        for (auto child = children.rbegin(); child != children.rend(); ++child) {
            const double next = child != children.rbegin() ? arrived + message.transfer : 0;
            arrived = std::max(next, message.message_time + message.transfer + message.latency(own, *child) +
                                         line_seconds(line, *child, message));
            done = std::max(done, arrived) + message.reduction;
        }
        return done;
    }
    const std::vector<double> sent = seconds_to_send(line, own, message);
    double longest = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
        longest = std::max(longest, sent[i] + line_seconds(line, children[i], message));
    }
    return longest;
}

/// The coordinates of an axis as positions on a line. A ring is cut opposite to the root.
struct Line {
    int size;
    int root;
    int cut;  // coordinate of position 0

    Line(const Axis& axis, int root_coordinate, bool in_rank_order) : size(axis.size), root(root_coordinate), cut(0) {
        if (!axis.wrapped || in_rank_order) return;
        root = (size - 1) / 2;
        cut = (root_coordinate - root + size) % size;
    }

    int position(int coordinate) const { return (coordinate - cut + size) % size; }
    int coordinate(int position) const { return (position + cut) % size; }
};

bool ranks_follow_grid(const Grid& grid) {
    int next = 0;
    for (int host = 0; host < grid.places(); ++host) {
        for (const int rank : grid.ranks_of_host(host)) {
            if (rank != next++) return false;
        }
    }
    return grid.extra_hosts() == 0;
}

/// Adds the neighbours of the head of a place on other places.
void add_places(const Grid& grid, const Problem& problem, const PlaceTree& ranks, int place, Cut cut,
                TreeOfRank& tree) {
    const int root = ranks.place(problem.root);
    for (int axis = static_cast<int>(grid.axes().size()) - 1; axis >= 0; --axis) {
        const Line line(grid.axes()[axis], grid.coordinate(root, axis), problem.in_rank_order);
        // Axes behind this one are still to come: the line of the root has the vector first.
        bool takes_part = true;
        for (int later = 0; later < axis; ++later) {
            takes_part = takes_part && grid.coordinate(place, later) == grid.coordinate(root, later);
        }
        if (!takes_part) continue;
        const TreeOfRank found =
            cut(grid.costs(), grid.axes()[axis], line.root)(line.position(grid.coordinate(place, axis)));
        const auto head = [&](int position) { return ranks.head(grid.along(place, axis, line.coordinate(position))); };
        if (found.parent >= 0) tree.parent = head(found.parent);
        for (const int child : found.children) tree.children.push_back(head(child));
    }
}

/// Bytes/s of a message on a line that winds through a torus: messages of a tree are few at a time, and seldom meet.
double slowest_cable(const Grid& grid) {
    const auto& dimensions = grid.cells()->part().dimensions();
    return std::ranges::min_element(dimensions, {}, &TorusDimension::bandwidth)->bandwidth;
}

}  // namespace

TreeOfRank halves(int size, int root, int own) {
    TreeOfRank tree;
    for (int begin = 0, end = size, holder = root; end - begin > 1;) {
        const int middle = begin + (end - begin + 1) / 2;
        const int other = holder < middle ? middle : middle - 1;
        if (own == holder) tree.children.push_back(other);
        if (own == other) tree.parent = holder;
        if ((own < middle) != (holder < middle)) holder = other;
        (own < middle ? end : begin) = middle;
    }
    return tree;
}

TreeOfRank tree_of(const Grid& grid, const Problem& problem, int rank, Cut cut) {
    const PlaceTree ranks(grid, problem.root, 0, 1);
    const int host = grid.host(rank), entry = ranks.entry(host);
    TreeOfRank tree;
    if (rank == entry) {
        const int above = ranks.host_above(host), below = ranks.host_below(host);
        if (above >= 0)
            tree.parent = ranks.entry(above);
        else
            add_places(grid, problem, ranks, ranks.place(rank), cut, tree);
        if (below >= 0) tree.children.push_back(ranks.entry(below));
    }
    const auto local_ranks = grid.ranks_of_host(host);
    const TreeOfRank found =
        halves(static_cast<int>(local_ranks.size()), grid.local_rank(entry), grid.local_rank(rank));
    if (found.parent >= 0) tree.parent = local_ranks[found.parent];
    for (const int child : found.children) tree.children.push_back(local_ranks[child]);
    return tree;
}

Program build(const Grid& grid, const Problem& problem, int rank, Shape shape) {
    ProgramBuilder builder(1, 0);
    builder.lane(1, shape.sends_at_once);
    write_tree(builder, problem.collective, rank, tree_of(grid, problem, rank, shape.cut), 0, 1);
    return builder.finish();
}

bool in_order(const Grid& grid, const Problem& problem) {
    if (!combines(problem.collective) || grid.ranks() == 1) return true;
    return problem.in_rank_order && ranks_follow_grid(grid);
}

double seconds(const Grid& grid, const Problem& problem, double bytes, Shape shape) {
    const PlaceTree ranks(grid, problem.root, 0, 1);
    const MachineCosts& costs = grid.costs();
    const double reduction = problem.collective == Collective::reduce ? bytes / costs.reduce_bandwidth : 0;
    const int root = ranks.place(problem.root);
    const double local = costs.local_message() + bytes / costs.local_bandwidth;
    const int ranks_per_host = grid.most_ranks_per_host();
    const bool winds = grid.winds();  // hops along the line are not those of its messages
    const auto nothing = [](int, int) { return 0.0; };
    double total = line_seconds([ranks_per_host](int own) { return halves(ranks_per_host, 0, own); }, 0,
                                {local, 0, reduction, true, nothing});
    double slowest = 0;
    for (int axis = 0; axis < static_cast<int>(grid.axes().size()); ++axis) {
        const Axis& along = grid.axes()[axis];
        const Line line(along, grid.coordinate(root, axis), problem.in_rank_order);
        const double bandwidth = winds ? slowest_cable(grid) : along.message_bandwidth();
        const auto latency = [&](int from, int to) {
            if (!winds) return along.way_latency(std::abs(to - from));
            const auto host = [&](int position) { return grid.along(root, axis, line.coordinate(position)); };
            return grid.cells()->latency(host(from), host(to));
        };
        const Message message{costs.message_time, bytes / bandwidth, reduction, shape.sends_at_once == 1, latency};
        total += line_seconds(shape.cut(costs, along, line.root), line.root, message);
        slowest = std::max(slowest, message.message_time + message.transfer + along.way_latency(1) + message.reduction);
    }
    return total + (grid.extra_hosts() > 0 ? slowest : 0);
}

}  // namespace coll_topo::dimension_tree
