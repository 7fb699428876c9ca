// SPDX-License-Identifier: BSD-3-Clause
//
// What the system may refuse, and how much memory is taken. In processes of their own, which cannot be the same again.
#include "coll_topo/execute/transport.h"
#include "coll_topo/host_memory/host_memory.h"
#include "coll_topo/host_memory/slot.hpp"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace coll_topo {
namespace {

struct Free {
    void operator()(coll_topo_host_memory* memory) const { coll_topo_host_memory_free(memory); }
};
using Memory = std::unique_ptr<coll_topo_host_memory, Free>;

Memory create(int members, coll_topo_memory_offer& offer) {
    return Memory(coll_topo_host_memory_create(members, 1, &offer));
}

Memory join(const coll_topo_memory_offer& offer, int members, int member) {
    return Memory(coll_topo_host_memory_join(&offer, members, 1, member));
}

/// Whether `holds()` is true in a process of its own.
template <typename Holds>
bool in_a_child(Holds&& holds) {
    const pid_t child = fork();
    if (child == 0) _exit(holds() ? 0 : 1);
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

/// From now on a system call fails in this process.
bool forbid(int call) {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{std::size(filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// What lets the superuser look into any process.
bool drop_capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    return syscall(SYS_capset, &header, none) == 0;
}

/// A second member, which is another process, as long as `body()` runs in this one. False if it could not join.
template <typename Prepare, typename Body>
bool with_partner(const coll_topo_memory_offer& offer, Prepare&& prepare, Body&& body) {
    int ready[2], over[2];
    if (pipe(ready) != 0 || pipe(over) != 0) return false;
    const pid_t partner = fork();
    if (partner == 0) {
        close(over[1]);
        const Memory memory = join(offer, 2, 1);
        char joined = memory != nullptr && prepare() ? 1 : 0;
        _exit(write(ready[1], &joined, 1) == 1 && read(over[0], &joined, 1) == 0 ? 0 : 1);
    }
    char joined = 0;
    const bool held = read(ready[0], &joined, 1) == 1 && joined == 1 && body();
    close(over[1]);
    waitpid(partner, nullptr, 0);
    for (const int descriptor : {ready[0], ready[1], over[0]}) close(descriptor);
    return held;
}

TEST(HostMemoryLimits, AProcessThatMayBeReadIsRead) {
    EXPECT_TRUE(in_a_child([] {
        coll_topo_memory_offer offer{};
        const Memory own = create(2, offer);
        return drop_capabilities() &&
               with_partner(
                   offer, [] { return true; }, [&] { return coll_topo_host_memory_can_access(own.get()); });
    }));
}

TEST(HostMemoryLimits, AProcessThatHidesItsMemoryIsNoticed) {
    EXPECT_TRUE(in_a_child([] {
        coll_topo_memory_offer offer{};
        const Memory own = create(2, offer);
        return drop_capabilities() && with_partner(
                                          offer, [] { return prctl(PR_SET_DUMPABLE, 0) == 0; },
                                          [&] { return !coll_topo_host_memory_can_access(own.get()); });
    }));
}

TEST(HostMemoryLimits, AFilterOfSystemCallsIsNoticed) {
    EXPECT_TRUE(in_a_child([] {
        coll_topo_memory_offer offer{};
        const Memory own = create(2, offer);
        return with_partner(
            offer, [] { return true; },
            [&] { return forbid(SYS_process_vm_readv) && !coll_topo_host_memory_can_access(own.get()); });
    }));
    EXPECT_TRUE(in_a_child([] {
        coll_topo_memory_offer offer{};
        const Memory own = create(2, offer);
        return with_partner(
            offer, [] { return true; },
            [&] { return forbid(SYS_process_vm_writev) && !coll_topo_host_memory_can_access(own.get()); });
    }));
    EXPECT_TRUE(in_a_child([] {
        coll_topo_memory_offer offer{};
        return forbid(SYS_memfd_create) && create(2, offer) == nullptr;
    }));
}

TEST(HostMemoryLimits, ALimitOfFilesDoesNotEndTheProcess) {
    EXPECT_TRUE(in_a_child([] {
        const rlimit limit{65536, 65536};
        coll_topo_memory_offer offer{};
        return setrlimit(RLIMIT_FSIZE, &limit) == 0 && create(64, offer) == nullptr;
    }));
}

enum class Messages { of_a_call_that_waits, with_tags };

/// Bytes of the segment's memory that exist once each of so many members has sent every other one so many messages.
std::size_t memory_taken(int members, std::size_t bytes, Messages kind, int messages = 1) {
    coll_topo_memory_offer offer{};
    std::vector<Memory> all;
    all.push_back(create(members, offer));
    const int segment = dup(offer.descriptor);
    for (int member = 1; member < members; ++member) all.push_back(join(offer, members, member));
    std::vector<int> ranks(members);
    for (int rank = 0; rank < members; ++rank) ranks[rank] = rank;
    for (const Memory& memory : all) {
        EXPECT_TRUE(memory != nullptr && coll_topo_host_memory_begin(memory.get(), ranks.data(), members, false));
    }
    const std::vector<std::byte> sent(bytes);
    for (int from = 0; from < members; ++from) {
        for (int to = 0; to < members; ++to) {
            const auto send = kind == Messages::with_tags ? coll_topo_tagged_send : coll_topo_host_memory_send;
            for (int message = 0; from != to && message < messages; ++message) {
                void* request = nullptr;
                EXPECT_EQ(send(all[from].get(), sent.data(), bytes, to, 0, &request), COLL_TOPO_OK);
                EXPECT_EQ(request, nullptr);
            }
        }
    }
    struct stat status {};
    EXPECT_EQ(fstat(segment, &status), 0);
    close(segment);
    return static_cast<std::size_t>(status.st_blocks) * 512;
}

// A rank's share grows with the ranks of its host, not faster: a few lines for each of them where messages are short.
TEST(HostMemoryLimits, MemoryGrowsWithTheRanksThatARankTalksTo) {
    constexpr std::size_t page = 4096;
    for (const int members : {16, 32, 128}) {
        constexpr auto waiting = Messages::of_a_call_that_waits, tagged = Messages::with_tags;
        EXPECT_LE(memory_taken(members, 8, waiting) / members, 256u * members + 2 * page) << members;
        EXPECT_LE(memory_taken(members, 1024, waiting) / members, (256u + 2 * page) * members + 2 * page) << members;
        // Four messages of the longest that do not stay with their senders: 2 MiB.
        const std::size_t most = Slot::most_beside(members);
        EXPECT_LE(memory_taken(members, most, waiting, Slot::per_lane) / members, (2048u + 300u) * 1024) << members;
        // With tags, 16 messages: 17 lines.
        EXPECT_LE(memory_taken(members, 8, tagged, 16) / members, 1088u * members + 2 * page) << members;
        EXPECT_LE(memory_taken(members, 1024, tagged, 16) / members, (1088u + 5 * page) * members + 2 * page)
            << members;
    }
}

}  // namespace
}  // namespace coll_topo
