// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coll_topo::tool {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

class OutputFile : public testing::Test {
protected:
    OutputFile() : folder_(fs::path(testing::TempDir()) / ("output_file_" + std::to_string(getpid()))) {
        fs::create_directory(folder_);
    }
    ~OutputFile() override { fs::remove_all(folder_); }
    std::string path(const char* name) const { return folder_ / name; }

    fs::path folder_;
};

TEST_F(OutputFile, ReplacesWhatALinkPointsToAndKeepsItsPermissions) {
    ASSERT_TRUE(write_file(path("file"), "old"));
    fs::permissions(path("file"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("file", path("link"));
    ASSERT_TRUE(write_file(path("link"), "new"));
    EXPECT_EQ("new", text_of(path("file")));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(fs::perms::owner_read | fs::perms::owner_write, fs::status(path("file")).permissions());
    EXPECT_FALSE(fs::exists(path("file.new")));
}

TEST_F(OutputFile, WhatCannotBeWrittenIsAnError) {
    EXPECT_EQ("/dev/full: cannot write the file: No space left on device", write_file("/dev/full", "x").error().text());
    EXPECT_EQ(path("none/file") + ": cannot write the file: No such file or directory",
              write_file(path("none/file"), "x").error().text());
    EXPECT_EQ(folder_.string() + ": cannot write the file: Is a directory", write_file(folder_, "x").error().text());
}

TEST_F(OutputFile, AnOldFileStaysIfTheDiskIsFull) {
    ASSERT_TRUE(write_file(path("file"), "old"));
    // A limit on the size of files, as there is no full disk at hand.
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{1000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto written = write_file(path("file"), std::string(100000, 'x'));
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(written);
    EXPECT_EQ("old", text_of(path("file")));
    EXPECT_FALSE(fs::exists(path("file.new")));
}

}  // namespace
}  // namespace coll_topo::tool
