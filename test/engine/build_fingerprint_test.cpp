// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/build_fingerprint.hpp"

#include "coll_topo/engine/engine.h"

#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace coll_topo {
namespace {

/// Notes as they are in a file.
class Notes {
public:
    explicit Notes(std::size_t alignment) : alignment_(alignment) {}

    Notes& add(std::string_view owner, unsigned type, std::string_view description) {
        const ElfW(Nhdr)
            header{static_cast<ElfW(Word)>(owner.size()), static_cast<ElfW(Word)>(description.size()), type};
        bytes_.append(reinterpret_cast<const char*>(&header), sizeof header);
        append(owner);
        append(description);
        return *this;
    }
    std::string build_id() const {
        const auto id = find_build_id(std::as_bytes(std::span(bytes_)), alignment_);
        return {reinterpret_cast<const char*>(id.data()), id.size()};
    }
    void cut(std::size_t size) { bytes_.resize(size); }
    std::size_t size() const { return bytes_.size(); }

private:
    void append(std::string_view text) {
        bytes_ += text;
        while (bytes_.size() % alignment_ != 0) bytes_ += '\0';
    }

    std::size_t alignment_;
    std::string bytes_;
};

constexpr std::string_view gnu("GNU", 4);

TEST(BuildId, IsFoundAmongOtherNotes) {
    for (const std::size_t alignment : {4, 8}) {
        Notes notes(alignment);
        notes.add("stapsdt", NT_GNU_BUILD_ID, "not this").add(gnu, NT_GNU_ABI_TAG, "nor this").add("", 7, "");
        EXPECT_EQ(notes.build_id(), "");
        notes.add(gnu, NT_GNU_BUILD_ID, "the build id").add(gnu, NT_GNU_BUILD_ID, "another");
        EXPECT_EQ(notes.build_id(), "the build id");
    }
}

TEST(BuildId, IsNotReadBeyondTheNotes) {
    Notes notes(4);
    notes.add(gnu, NT_GNU_BUILD_ID, "12345678");
    for (std::size_t size = notes.size(); size-- > 0;) {
        notes.cut(size);
        EXPECT_EQ(notes.build_id(), "") << size;
    }
}

TEST(FileFingerprint, IsOfTheFileThatHoldsTheAddress) {
    static const int here = 1;
    static const int also_here = 2;
    const void* const elsewhere = reinterpret_cast<const void*>(&std::strlen);
    for (const bool by_content : {false, true}) {
        EXPECT_NE(file_fingerprint(&here, by_content), 0u);
        EXPECT_EQ(file_fingerprint(&here, by_content), file_fingerprint(&also_here, by_content));
        EXPECT_NE(file_fingerprint(&here, by_content), file_fingerprint(elsewhere, by_content));
    }
    EXPECT_NE(file_fingerprint(&here, false), file_fingerprint(&here, true)) << "linked without a build id";
    const int on_the_stack = 0;
    EXPECT_EQ(file_fingerprint(&on_the_stack), 0u);
}

TEST(BuildFingerprint, IsTheSameEachTime) {
    EXPECT_NE(coll_topo_build_fingerprint(), 0u);
    EXPECT_EQ(coll_topo_build_fingerprint(), coll_topo_build_fingerprint());
}

}  // namespace
}  // namespace coll_topo
