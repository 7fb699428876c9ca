// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll_topo/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coll_topo {

class SourceText;

/// A piece of a SourceText that has been read completely and outlives it.
struct Located {
    std::string_view text;
    const SourceText* source = nullptr;

    Located part(std::size_t begin, std::size_t size = std::string_view::npos) const {
        return {text.substr(begin, size), source};
    }
    SourceLocation where() const;
    tl::unexpected<Error> error(std::string message) const { return failure(std::move(message), where()); }
};

/// The pieces between the separators; always at least one, which may be empty.
std::vector<Located> split(const Located& text, char separator);

/// The text of a file and of the files it includes, without comments, with continued lines joined, every
/// character still knowing its place. The rules are those of Slurm's configuration files: `#` starts a comment,
/// `\` at the end of a line continues it, `\#` and `\\` stand for `#` and `\`, `Include FILE` reads another file.
class SourceText {
public:
    static constexpr std::size_t largest_size = std::size_t{64} << 20;  ///< bytes, all files together
    static constexpr int most_files = 1000;
    static constexpr int deepest_include = 16;

    /// `kind` is what messages call the file; it must outlive this.
    explicit SourceText(std::string_view kind = "topology file") : kind_(kind) {}
    SourceText(const SourceText&) = delete;  // pieces point into it
    SourceText& operator=(const SourceText&) = delete;

    /// Reads a file and what it includes. Fails on what is not a regular file of plain text, and above the limits.
    Expected<void> read_file(const std::string& path);

    /// The same from text; Include is resolved against the directory of `name`.
    Expected<void> read_text(std::string_view text, const std::string& name);

    /// The lines that are not blank, Include lines left out, without blanks at either end.
    int lines() const { return static_cast<int>(lines_.size()); }
    Located line(int index) const {
        return {std::string_view(text_).substr(lines_[index].begin, lines_[index].size), this};
    }

    /// The place of a character of the text.
    SourceLocation where(const char* character) const;

    /// The first line, for what is wrong with the text as a whole.
    SourceLocation beginning() const { return {files_.empty() ? std::string() : files_.front(), 1, 0}; }

private:
    struct Run {  // characters that also stand side by side in their file
        std::uint32_t begin;
        std::int32_t file;
        std::int32_t line;
        std::int32_t column;
    };
    struct Line {
        std::uint32_t begin;
        std::uint32_t size;
    };

    Expected<void> load_file(const std::string& path, const SourceLocation& include);
    Expected<void> load_text(std::string_view text, const std::string& name);
    Expected<bool> append_line(std::string_view raw, int file, int line);
    Expected<void> finish_line(std::size_t begin, int file);
    Expected<void> include(const Located& argument, int file);

    std::string_view kind_;
    std::string text_;
    std::vector<Run> runs_;
    std::vector<Line> lines_;
    std::vector<std::string> files_;
    std::vector<std::string> open_;  // canonical paths of the files being read, outermost first
    std::size_t bytes_read_ = 0;
};

}  // namespace coll_topo
