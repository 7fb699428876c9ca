// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/source_text.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

namespace coll_topo {
namespace {

std::string error_of(std::string_view text) {
    SourceText source;
    const auto read = source.read_text(text, "t.conf");
    return read ? "no error" : read.error().text();
}

TEST(SourceText, LeavesOutCommentsAndBlankLines) {
    SourceText source;
    ASSERT_TRUE(source.read_text("# first\n\n  \t\r\n  a b  # rest\r\n#last", "t.conf"));
    ASSERT_EQ(1, source.lines());
    EXPECT_EQ("a b", source.line(0).text);
    EXPECT_EQ("t.conf:4:3", source.line(0).where().text());
    EXPECT_EQ("t.conf:4:5", source.line(0).part(2).where().text());
}

TEST(SourceText, JoinsContinuedLinesWithoutABlank) {
    SourceText source;
    ASSERT_TRUE(source.read_text("ab\\\ncd\\  \nef \\ # comment\n  gh\nij", "t.conf"));
    ASSERT_EQ(2, source.lines());
    EXPECT_EQ("abcdef   gh", source.line(0).text);
    EXPECT_EQ("t.conf:1:2", source.line(0).part(1).where().text());
    EXPECT_EQ("t.conf:2:1", source.line(0).part(2).where().text());
    EXPECT_EQ("t.conf:4:4", source.line(0).part(10).where().text());
    EXPECT_EQ("t.conf:5:1", source.line(1).where().text());
}

TEST(SourceText, ABackslashInACommentContinuesNothing) {
    SourceText source;
    ASSERT_TRUE(source.read_text("a # b \\\nc", "t.conf"));
    EXPECT_EQ(2, source.lines());
}

TEST(SourceText, ContinuationMayBeTheEnd) {
    SourceText source;
    ASSERT_TRUE(source.read_text("a\\\n", "t.conf"));
    ASSERT_EQ(1, source.lines());
    EXPECT_EQ("a", source.line(0).text);
}

TEST(SourceText, EscapesKeepThePlacesOfWhatFollows) {
    SourceText source;
    ASSERT_TRUE(source.read_text(R"(a\#b\\c)", "t.conf"));
    EXPECT_EQ(R"(a#b\c)", source.line(0).text);
    EXPECT_EQ("t.conf:1:3", source.line(0).part(1).where().text());
    EXPECT_EQ("t.conf:1:7", source.line(0).part(4).where().text());
}

TEST(SourceText, RefusesWhatIsNotText) {
    EXPECT_EQ("t.conf:2:3: byte 0x00 in the text; this is not a topology file", error_of({"a\n# \0", 6}));
    EXPECT_EQ("t.conf:1:2: byte 0x07 outside a comment; expected plain ASCII text", error_of("a\a"));
    EXPECT_EQ("t.conf:1:1: byte 0xef outside a comment; expected plain ASCII text", error_of("\xef\xbb\xbf"));
    EXPECT_EQ("no error", error_of("# caf\xc3\xa9"));
    EXPECT_EQ(R"(t.conf:1:2: '\' may stand at the end of a line, or before '#' or '\')", error_of(R"(a\b)"));
}

TEST(SourceText, RefusesMoreTextThanAnyTopologyHas) {
    const std::string text(SourceText::largest_size + 1, ' ');
    EXPECT_EQ("t.conf:1: more than 64 MiB of text, files that are included too", error_of(text));
}

/// A directory of its own for every test, with the files the test writes.
class SourceTextFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "coll_topo_XXXXXX";
        ASSERT_NE(nullptr, mkdtemp(pattern.data()));
        directory_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    std::string path(const std::string& name) const { return directory_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

    /// The error of reading a file, without the directory.
    std::string error_of_file(const std::string& name) const {
        SourceText source;
        const auto read = source.read_file(path(name));
        std::string text = read ? "no error" : read.error().text();
        for (std::size_t at = text.find(directory_); at != std::string::npos; at = text.find(directory_)) {
            text.erase(at, directory_.size() + 1);
        }
        return text;
    }

    std::string directory_;
};

TEST_F(SourceTextFiles, IncludePutsTheLinesOfAFileInPlace) {
    write("main.conf", "a\ninclude sub/more.conf # here\nc\n");
    std::filesystem::create_directory(path("sub"));
    write("sub/more.conf", "\nb1\nInclude last.conf");
    write("sub/last.conf", "b2");
    SourceText source;
    ASSERT_TRUE(source.read_file(path("main.conf")));
    ASSERT_EQ(4, source.lines());
    EXPECT_EQ("a", source.line(0).text);
    EXPECT_EQ("b1", source.line(1).text);
    EXPECT_EQ("b2", source.line(2).text);
    EXPECT_EQ("c", source.line(3).text);
    EXPECT_EQ(path("main.conf:1:1"), source.line(0).where().text());
    EXPECT_EQ(path("sub/more.conf:2:1"), source.line(1).where().text());
    EXPECT_EQ(path("sub/last.conf:1:1"), source.line(2).where().text());
    EXPECT_EQ(path("main.conf:3:1"), source.line(3).where().text());
}

TEST_F(SourceTextFiles, RefusesIncludeLoopsAndDeepNesting) {
    write("self.conf", "a\n  Include ./self.conf");
    EXPECT_EQ("self.conf:2:11: Include of './self.conf' inside itself", error_of_file("self.conf"));
    write("a.conf", "Include b.conf");
    write("b.conf", "Include a.conf");
    EXPECT_EQ("b.conf:1:9: Include of 'a.conf' inside itself", error_of_file("a.conf"));
    for (int depth = 0; depth < 20; ++depth) {
        write(std::to_string(depth), "Include " + std::to_string(depth + 1));
    }
    EXPECT_EQ("16:1:9: Include nested more than 16 deep", error_of_file("0"));
}

TEST_F(SourceTextFiles, RefusesTooManyFiles) {
    write("empty.conf", "");
    std::string text;
    for (int count = 0; count < SourceText::most_files; ++count) text += "Include empty.conf\n";
    write("main.conf", text);
    EXPECT_EQ("main.conf:1000:9: more than 1000 files", error_of_file("main.conf"));
}

TEST_F(SourceTextFiles, RefusesMalformedIncludes) {
    write("main.conf", "Include");
    EXPECT_EQ("main.conf:1:1: Include needs a file: Include FILE", error_of_file("main.conf"));
    write("main.conf", "Include a b");
    EXPECT_EQ("main.conf:1:9: Include takes one file, without blanks in its name", error_of_file("main.conf"));
}

TEST_F(SourceTextFiles, SaysWhyAFileCannotBeRead) {
    EXPECT_EQ("none.conf: cannot read the topology file: No such file or directory", error_of_file("none.conf"));
    std::filesystem::create_directory(path("sub"));
    EXPECT_EQ("sub: cannot read the topology file: it is a directory; give the file in it", error_of_file("sub"));
    ASSERT_EQ(0, mkfifo(path("pipe").c_str(), 0600));
    EXPECT_EQ("pipe: cannot read the topology file: it is not a regular file", error_of_file("pipe"));
    write("main.conf", "\nInclude none.conf");
    EXPECT_EQ("main.conf:2:9: cannot read 'none.conf': No such file or directory", error_of_file("main.conf"));
    if (geteuid() != 0) {  // nothing is unreadable for root
        write("secret.conf", "");
        std::filesystem::permissions(path("secret.conf"), std::filesystem::perms::none);
        EXPECT_EQ("secret.conf: cannot read the topology file: Permission denied", error_of_file("secret.conf"));
    }
}

TEST(Split, GivesEveryPieceBetweenSeparators) {
    const std::vector<Located> pieces = split({"a,,b,", nullptr}, ',');
    ASSERT_EQ(4u, pieces.size());
    EXPECT_EQ("a", pieces[0].text);
    EXPECT_EQ("", pieces[1].text);
    EXPECT_EQ("b", pieces[2].text);
    EXPECT_EQ("", pieces[3].text);
}

}  // namespace
}  // namespace coll_topo
