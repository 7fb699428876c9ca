// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/peer_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace coll_topo::test {
namespace {

constexpr std::size_t name_begin = offsetof(coll_topo_record, host_name);

coll_topo_record ready(const std::string& host_name = "node7") {
    coll_topo_record record{};
    record.layout = COLL_TOPO_RECORD_LAYOUT;
    record.readiness = COLL_TOPO_READY;
    record.required = 1;
    record.digest = 0x1122334455667788;
    record.build = 0x99aabbccddeeff00;
    record.location = {7, 1, 2, 3, COLL_TOPO_UNBOUND, 64};
    host_name.copy(record.host_name, sizeof record.host_name);
    return record;
}

/// What is published of a record, or `size` bytes that begin with it.
std::string published(const coll_topo_record& record, std::size_t size = 0) {
    std::string bytes(coll_topo_record_size(&record), '\0');
    std::memcpy(bytes.data(), &record, bytes.size());
    if (size != 0) bytes.resize(size);
    return bytes;
}

/// Reads from memory that ends where the bytes do, so that the address sanitizer sees what reads on.
coll_topo_record read(const std::string& bytes) {
    const std::vector<char> memory(bytes.begin(), bytes.end());
    coll_topo_record record;
    std::memset(&record, 0xa5, sizeof record);
    coll_topo_record_read(&record, memory.data(), memory.size());
    return record;
}

coll_topo_peer peer(const std::string& bytes) {
    const coll_topo_record record = read(bytes), own = ready();
    return coll_topo_peer_of(&record, &own);
}

void expect_unreadable(const std::string& bytes) {
    const coll_topo_record none{}, record = read(bytes);
    EXPECT_EQ(0, std::memcmp(&none, &record, sizeof none));
    EXPECT_EQ(COLL_TOPO_PEER_OTHER_VERSION, peer(bytes).kind);
    EXPECT_FALSE(peer(bytes).required);
}

TEST(PeerRecord, ReadsWhatWasPublished) {
    for (const std::string& name : {std::string(), std::string("n"), std::string(COLL_TOPO_HOST_NAME_SIZE - 1, 'n')}) {
        const coll_topo_record record = ready(name), again = read(published(record));
        EXPECT_EQ(0, std::memcmp(&record, &again, name_begin));
        EXPECT_EQ(name, again.host_name);
        const coll_topo_peer seen = peer(published(record));
        EXPECT_EQ(COLL_TOPO_PEER_EQUAL, seen.kind);
        EXPECT_TRUE(seen.required);
        EXPECT_EQ(7, seen.location.host);
        EXPECT_EQ(COLL_TOPO_UNBOUND, seen.location.core);
    }
}

TEST(PeerRecord, SaysHowAPeerDiffers) {
    coll_topo_record record = ready();
    ++record.digest;
    EXPECT_EQ(COLL_TOPO_PEER_DIFFERENT, peer(published(record)).kind);
    ++record.build;
    EXPECT_EQ(COLL_TOPO_PEER_OTHER_BUILD, peer(published(record)).kind) << "of another build no digest says anything";
    record.required = 0;
    EXPECT_FALSE(peer(published(record)).required);
    record.readiness = COLL_TOPO_NO_FILE;
    EXPECT_EQ(COLL_TOPO_PEER_NO_FILE, peer(published(record)).kind);
    record.readiness = COLL_TOPO_UNUSABLE;
    EXPECT_EQ(COLL_TOPO_PEER_UNUSABLE, peer(published(record)).kind);
    record.readiness = COLL_TOPO_NOT_LISTED;
    EXPECT_EQ(COLL_TOPO_PEER_NOT_LISTED, peer(published(record)).kind);
    record.readiness = COLL_TOPO_SWITCHED_OFF;
    EXPECT_EQ(COLL_TOPO_PEER_SWITCHED_OFF, peer(published(record)).kind);
}

TEST(PeerRecord, IsReadWholeOrNotAtAll) {
    const std::string whole = published(ready());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        SCOPED_TRACE(size);
        expect_unreadable(whole.substr(0, size));
    }
    for (const std::size_t size : {whole.size() + 1, name_begin + COLL_TOPO_HOST_NAME_SIZE, sizeof(coll_topo_record),
                                   sizeof(coll_topo_record) + 1, std::size_t{4096}}) {
        SCOPED_TRACE(size);
        expect_unreadable(published(ready(), size));
    }
}

TEST(PeerRecord, HasAHostNameThatEnds) {
    const std::string facts = published(ready()).substr(0, name_begin);
    for (const std::size_t length : {1, 63, 64, 65, 67, 68, 69, 4000}) {
        SCOPED_TRACE(length);
        expect_unreadable(facts + std::string(length, 'n'));
    }
    expect_unreadable(facts + std::string("n\0n", 4));
    expect_unreadable(facts + std::string(65, 'n') + '\0');
}

TEST(PeerRecord, OfAnotherLayoutSaysNothingElse) {
    coll_topo_record record = ready();
    for (const std::uint32_t layout :
         {COLL_TOPO_RECORD_LAYOUT - 1, COLL_TOPO_RECORD_LAYOUT + 1, 0x03005443U, 0U, 0xffffffffU}) {
        SCOPED_TRACE(layout);
        record.layout = layout;
        expect_unreadable(published(record));
        expect_unreadable(published(record, 4));
    }
    expect_unreadable(std::string(60, '\0'));
    expect_unreadable(std::string(60, '\xff'));
}

TEST(PeerRecord, OfAnUnknownReadinessCannotBeRead) {
    coll_topo_record record = ready();
    for (const int readiness : {COLL_TOPO_READY + 1, 0x100 + COLL_TOPO_READY, 0xffff}) {
        SCOPED_TRACE(readiness);
        record.readiness = static_cast<std::uint16_t>(readiness);
        expect_unreadable(published(record));
    }
}

TEST(PeerRecord, HasAHostNameThatCanBeShown) {
    EXPECT_STREQ("a??b?", read(published(ready("a\n\x1b"
                                               "b\x7f")))
                              .host_name);
    EXPECT_STREQ("k\xc3\xb6ln", read(published(ready("k\xc3\xb6ln"))).host_name);
}

}  // namespace
}  // namespace coll_topo::test
