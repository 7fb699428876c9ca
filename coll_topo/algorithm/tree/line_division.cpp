// SPDX-License-Identifier: BSD-3-Clause
//
// Source: Karp, Sahay, Santos, Schauser, "Optimal broadcast and summation in the LogP model", SPAA 1993. Their latency
// is the same everywhere; here it depends on hops, and every message stays in its part of the line.

#include "coll_topo/algorithm/tree/line_division.hpp"

#include <algorithm>
#include <cstdlib>
#include <ranges>

namespace coll_topo {

LineDivision::LineDivision(double message_time, const Axis& axis, int root)
    : message_time_(message_time), axis_(axis), root_(root) {
    divide_far_sides(axis.size);
    divide_at_root(root);
}

/// T(n) = min over k of max( o + T(n-k), o + L(n-k hops) + T(k) ): the more places the first message is for, the
/// earlier the holder is done with the rest, and the later these are done.
void LineDivision::divide_far_sides(int size) {
    for (int places = 2; places <= size; ++places) {
        const auto rest = [&](int part) { return message_time_ + seconds_[places - part]; };
        const auto there = [&](int part) { return message_time_ + axis_.way_latency(places - part) + seconds_[part]; };
        const auto parts = std::views::iota(1, places - 1);
        int part = *std::ranges::partition_point(parts, [&](int some) { return there(some) < rest(some); });
        if (part > 1 && rest(part - 1) < std::max(there(part), rest(part))) --part;
        seconds_.push_back(std::max(there(part), rest(part)));
        sent_.push_back(part);
    }
}

/// The root has places on both sides. To serve all by a given time, it sends each message for as many places as can
/// have it in time, always on the side where more are left; the least such time is found by bisection.
void LineDivision::divide_at_root(int root) {
    const int farthest = std::max(root, axis_.size - 1 - root);
    double late = 2 * ((axis_.size - 1) * message_time_ + axis_.way_latency(farthest) + seconds_[farthest + 1]);
    double early = 0;
    constexpr int halvings = 40;
    std::vector<Part> parts;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (early + late) / 2;
        (in_time(middle, root, parts) ? late : early) = middle;
    }
    in_time(late, root, parts_);
}

/// Whether all can have it by then; `parts`: what the root then sends to.
bool LineDivision::in_time(double limit, int root, std::vector<Part>& parts) const {
    parts.clear();
    int below = root, above = axis_.size - 1 - root;
    for (double sent = message_time_; below + above > 0; sent += message_time_) {
        int& left = above >= below ? above : below;
        const int way = above >= below ? 1 : -1;
        const auto done = [&](int part) { return sent + axis_.way_latency(left - part + 1) + seconds_[part]; };
        const auto all = std::views::iota(1, left + 1);
        const int part = *std::ranges::partition_point(all, [&](int some) { return done(some) <= limit; }) - 1;
        if (part == 0) return false;
        parts.push_back({root + way * (left - part + 1), root + way * left});
        left -= part;
    }
    return true;
}

double LineDivision::seconds_from_end(double message_time) const {
    std::vector<double> seconds = {0, 0};  // by number of places
    for (std::size_t places = 2; places < sent_.size(); ++places) {
        const std::size_t first = sent_[places], rest = places - first;
        const double there = axis_.way_latency(static_cast<double>(rest)) + seconds[first];
        seconds.push_back(message_time + std::max(seconds[rest], there));
    }
    return seconds.back();
}

int LineDivision::sends_from_end() const {
    int sends = 0;
    for (int places = axis_.size; places > 1; places -= sent_[places]) ++sends;
    return sends;
}

TreeOfRank LineDivision::of(int own) const {
    TreeOfRank tree;
    for (const Part& part : parts_) {
        if (own == root_) {
            tree.children.push_back(part.first);
        } else if (std::min(part.first, part.last) <= own && own <= std::max(part.first, part.last)) {
            tree.parent = root_;
            follow(part, own, tree);
        }
    }
    return tree;
}

/// Goes on within a part, the first place of which has the message.
void LineDivision::follow(Part part, int own, TreeOfRank& tree) const {
    const int way = part.first <= part.last ? 1 : -1;
    int holder = part.first, places = std::abs(part.last - part.first) + 1;
    while (places > 1) {
        const int rest = places - sent_[places], other = holder + way * rest;
        if (own == holder) tree.children.push_back(other);
        const bool beyond = std::abs(own - holder) >= rest;
        if (beyond) {
            tree.parent = holder;
            holder = other;
        }
        places = beyond ? sent_[places] : rest;
    }
}

}  // namespace coll_topo
