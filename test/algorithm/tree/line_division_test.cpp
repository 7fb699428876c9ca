// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/algorithm/tree/line_division.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>

namespace coll_topo {
namespace {

constexpr double o = 1;

Axis line_of(int size, double start_latency, double latency) {
    return {"line", size, false, 1e9, latency, start_latency};
}

/// Lines whose latency for each message, and for each hop, is nothing, about o, or much more.
std::vector<Axis> lines_of(int size) {
    std::vector<Axis> lines;
    for (const double start : {0.0, 0.7, 2.5, 30.0}) {
        for (const double hop : {0.0, 0.05, 0.5, 4.0}) lines.push_back(line_of(size, start, hop));
    }
    return lines;
}

/// Seconds until all that get the message from `own` have it.
double seconds_of(const LineDivision& division, const Axis& axis, int own) {
    double longest = 0, sent = 0;
    for (const int child : division.of(own).children) {
        sent += o;
        longest = std::max(longest, sent + axis.way_latency(std::abs(child - own)) + seconds_of(division, axis, child));
    }
    return std::max(longest, sent);
}

/// The least there is, by trying every way to divide: places below and above the holder.
class Least {
public:
    explicit Least(const Axis& axis) : axis_(axis), known_(axis.size * axis.size, -1) {}

    double seconds(int below, int above) {
        if (below + above == 0) return 0;
        double& found = known_[below * axis_.size + above];
        if (found >= 0) return found;
        double least = 1e9;
        const auto send = [&](int far, int part, double rest) {
            const double there = axis_.way_latency(far - part + 1) + seconds(0, part - 1);
            least = std::min(least, o + std::max(rest, there));
        };
        for (int part = 1; part <= below; ++part) send(below, part, seconds(below - part, above));
        for (int part = 1; part <= above; ++part) send(above, part, seconds(below, above - part));
        return found = least;
    }

private:
    const Axis& axis_;
    std::vector<double> known_;
};

TEST(LineDivision, GivesEveryPlaceOneParent) {
    for (int size = 1; size <= 20; ++size) {
        for (const Axis& axis : lines_of(size)) {
            for (int root = 0; root < size; ++root) {
                const LineDivision division(o, axis, root);
                std::vector<int> parent(size, -1);
                for (int own = 0; own < size; ++own) {
                    for (const int child : division.of(own).children) {
                        EXPECT_EQ(parent[child], -1);
                        parent[child] = own;
                    }
                }
                EXPECT_EQ(parent[root], -1);
                for (int own = 0; own < size; ++own) {
                    EXPECT_EQ(division.of(own).parent, parent[own]);
                    EXPECT_TRUE(own == root || parent[own] >= 0);
                }
            }
        }
    }
}

TEST(LineDivision, TakesTheLeastTimeFromAnEnd) {
    for (const int size : {2, 3, 4, 7, 8, 15, 31, 60}) {
        for (const Axis& axis : lines_of(size)) {
            Least least(axis);
            const LineDivision up(o, axis, 0), down(o, axis, size - 1);
            EXPECT_NEAR(seconds_of(up, axis, 0), least.seconds(0, size - 1), 1e-6) << size;
            EXPECT_NEAR(seconds_of(down, axis, size - 1), least.seconds(0, size - 1), 1e-6) << size;
            EXPECT_NEAR(up.seconds_from_end(o), least.seconds(0, size - 1), 1e-6) << size;
        }
    }
}

TEST(LineDivision, TakesHardlyMoreThanTheLeastFromAnywhere) {
    for (const int size : {3, 4, 5, 8, 9, 16, 30}) {
        for (const Axis& axis : lines_of(size)) {
            Least least(axis);
            for (int root = 0; root < size; ++root) {
                const double seconds = seconds_of(LineDivision(o, axis, root), axis, root);
                EXPECT_LE(seconds, 1.06 * least.seconds(root, size - 1 - root))
                    << size << " from " << root << ", " << axis.start_latency << " and " << axis.latency;
            }
        }
    }
}

TEST(LineDivision, IsFlatWhereMessagesArriveLate) {
    EXPECT_EQ(LineDivision(o, line_of(16, 100, 0), 5).of(5).children.size(), 15u);
    EXPECT_EQ(LineDivision(o, line_of(16, 0, 0), 0).of(0).children.size(), 4u) << "binomial";
}

TEST(LineDivision, DividesLongLines) {
    const Axis axis = line_of(4096, 2, 0.001);
    const LineDivision division(o, axis, 1000);
    EXPECT_LE(seconds_of(division, axis, 1000), LineDivision(o, axis, 0).seconds_from_end(o));
}

}  // namespace
}  // namespace coll_topo
