// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/simulate/child_process.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <numeric>
#include <stdexcept>

namespace coll_topo::simulate {
namespace {

std::string what_is_wrong(const std::function<std::vector<double>(const Progress&)>& work) {
    const auto result = compute_in_child("test", work, {});
    return result ? "" : result.error().text();
}

TEST(ChildProcess, ReturnsWhatItsWorkReturned) {
    std::vector<double> many(100000);
    std::iota(many.begin(), many.end(), -7);
    const pid_t parent = getpid();
    const auto result = compute_in_child("test",
                                         [&](const Progress&) {
                                             if (getpid() == parent) return std::vector<double>{};
                                             return many;
                                         },
                                         {});
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, many);
}

TEST(ChildProcess, PassesProgressOn) {
    std::vector<double> shares;
    const auto result = compute_in_child(
        "test",
        [](const Progress& progress) {
            progress(0);
            progress(0.5);
            progress(1);
            return std::vector<double>{42};
        },
        [&](double share) { shares.push_back(share); });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, std::vector<double>{42});
    EXPECT_EQ(shares, (std::vector<double>{0, 0.5, 1}));
}

TEST(ChildProcess, FailsWithHowTheProcessEnded) {
    EXPECT_EQ(what_is_wrong([](const Progress&) -> std::vector<double> { _exit(3); }),
              "test: its process ended with exit code 3 before it was done");
    EXPECT_EQ(what_is_wrong([](const Progress&) -> std::vector<double> { throw std::runtime_error("bad"); }),
              "test: its process ended with exit code 1 before it was done");
    EXPECT_EQ(what_is_wrong([](const Progress&) -> std::vector<double> {
                  kill(getpid(), SIGKILL);
                  return {};
              }),
              "test: its process ended with the signal \"Killed\" before it was done");
}

#ifdef __linux__
TEST(ChildProcess, EndsWithItsParent) {
    std::array<int, 2> line{};  // both processes hold its writing end while they live
    ASSERT_EQ(pipe(line.data()), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        close(line[0]);
        (void)compute_in_child("test",
                               [&](const Progress&) {
                                   (void)!write(line[1], "x", 1);
                                   sleep(60);
                                   return std::vector<double>{};
                               },
                               {});
        _exit(0);
    }
    close(line[1]);
    char begun = 0;
    ASSERT_EQ(read(line[0], &begun, 1), 1);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    pollfd closed{line[0], POLLIN, 0};
    constexpr int patience = 20000;  // milliseconds
    EXPECT_EQ(poll(&closed, 1, patience), 1) << "the child outlives its parent";
    close(line[0]);
}
#endif

}  // namespace
}  // namespace coll_topo::simulate
