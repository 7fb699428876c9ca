// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/rounds.hpp"

#include "test/verify/program_writer.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace coll_topo::test {
namespace {

// "0>1 2>3 | 1>2": messages of one round before those of the next.
std::string text(const Schedule& schedule) {
    const auto rounds = find_rounds(schedule);
    if (!rounds) return rounds.error().text();
    std::ostringstream out;
    for (std::size_t round = 0; round < rounds->size(); ++round) {
        if (round > 0) out << " | ";
        const char* separator = "";
        for (const RoundMessage& message : (*rounds)[round]) {
            out << separator << message.from << ">" << message.to;
            separator = " ";
        }
    }
    return out.str();
}

TEST(Rounds, AMessageWaitsForBothSides) {
    // Rank 2 has nothing to do before it hears of rank 1, which first hears of rank 0.
    const Schedule chain = {ProgramWriter(1).step().send(1, output(0)),
                            ProgramWriter(1).step().receive(0, output(0)).step().send(2, output(0)),
                            ProgramWriter(1).step().receive(1, output(0))};
    EXPECT_EQ("0>1 | 1>2", text(chain));
}

TEST(Rounds, AStepLastsUntilItsLastMessageHasPassed) {
    const Schedule schedule = {
        ProgramWriter(2).step().send(1, output(0)).send(2, output(1)).step().send(3, output(0)),
        ProgramWriter(2).step().receive(0, output(0)),
        ProgramWriter(2).step().send(3, output(0)).step().receive(0, output(1)),
        ProgramWriter(2).step().receive(2, output(0)).step().receive(0, output(0)),
    };
    EXPECT_EQ("0>1 2>3 | 0>2 | 0>3", text(schedule));
}

TEST(Rounds, SendsThatAreLimitedTakeTurns) {
    // In the order of the program, not of ranks; the second waits for the first, which waits for rank 2.
    const auto schedule = [](int sends_at_once) -> Schedule {
        return {ProgramWriter(1).lane(1, sends_at_once).step().send(2, output(0)).send(1, output(0)).send(3, output(0)),
                ProgramWriter(1).step().receive(0, output(0)),
                ProgramWriter(1).step().send(3, output(0)).step().receive(0, output(0)),
                ProgramWriter(1).step().receive(2, output(0)).step().receive(0, output(0))};
    };
    EXPECT_EQ("0>1 2>3 | 0>2 0>3", text(schedule(0)));
    EXPECT_EQ("2>3 | 0>2 | 0>1 | 0>3", text(schedule(1)));
    EXPECT_EQ("0>1 2>3 | 0>2 0>3", text(schedule(2)));
}

TEST(Rounds, LocalWorkTakesNoRound) {
    const Schedule schedule = {
        ProgramWriter(2).step().copy(input(0), output(0)).step().send(1, output(0)).step().receive(1, output(1)),
        ProgramWriter(2).step().receive(0, output(0)).step().copy(output(0), output(1)).step().send(0, output(1))};
    EXPECT_EQ("0>1 | 1>0", text(schedule));
}

TEST(Rounds, LanesDoNotWaitForEachOther) {
    const Schedule schedule = {
        ProgramWriter(2).lane().step().send(1, output(0)).step().receive(1, output(0)).lane().step().send(1, output(1)),
        ProgramWriter(2)
            .lane()
            .step()
            .receive(0, output(0))
            .step()
            .send(0, output(0))
            .lane()
            .step()
            .receive(0, output(1))};
    EXPECT_EQ("0>1 0>1 | 1>0", text(schedule));
}

TEST(Rounds, SaysWhatNeverPasses) {
    EXPECT_EQ("lane 0: a message from rank 0 to rank 1 is never received",
              text({ProgramWriter(1).step().send(1, output(0)), ProgramWriter(1)}));
    EXPECT_EQ("lane 0: a message from rank 0 to rank 1 is never sent",
              text({ProgramWriter(1), ProgramWriter(1).step().receive(0, output(0))}));
    EXPECT_EQ("not all messages pass: the schedule comes to a standstill",
              text({ProgramWriter(1).step().send(1, output(0)).step().receive(1, output(0)),
                    ProgramWriter(1).step().send(0, output(0)).step().receive(0, output(0))}));
}

TEST(Rounds, LinksAreLoadedByRoundNotByStep) {
    // Two senders on one side of a link. Both send in their first step, but their partner takes one after the other.
    Fabric fabric{{}, Torus("t", {{4, false}}, Tie::positive), {}};
    for (const char* const host : {"a", "b", "c", "d"}) fabric.hosts.add(host);
    Placement placement;
    for (int host = 0; host < 3; ++host) {
        placement.emplace_back();
        placement.back().host = host;
    }
    const Schedule schedule = {ProgramWriter(1).step().send(2, output(0)), ProgramWriter(1).step().send(2, output(0)),
                               ProgramWriter(1).step().receive(0, output(0)).step().receive(1, output(0))};
    LinkGraph network(fabric);
    EXPECT_EQ(2, link_load(schedule, network, placement)[0].messages);
    const auto loads = link_load(*find_rounds(schedule), schedule, network, placement);
    ASSERT_EQ(2u, loads.size());
    EXPECT_EQ(1, loads[0].messages);
    EXPECT_EQ(1, loads[1].messages);
    EXPECT_EQ("b", network.name(network.links()[loads[1].busiest_link].from));
    EXPECT_EQ("c", network.name(network.links()[loads[1].busiest_link].to));
}

}  // namespace
}  // namespace coll_topo::test
