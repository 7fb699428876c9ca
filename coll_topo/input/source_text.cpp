// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/source_text.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/base/text.hpp"
#include "coll_topo/input/statement.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace coll_topo {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string reason(int error_number) {
    return std::generic_category().message(error_number);
}

/// One spelling for every way to write a path, so that a file is known again.
std::string canonical(const std::string& path) {
    std::error_code error;
    const std::filesystem::path result = std::filesystem::weakly_canonical(path, error);
    return error ? path : result.string();
}

/// The bytes of a regular file, one more than `limit` at most. The message of a failure does not name the file.
Expected<std::string> bytes_of_file(const std::string& path, std::size_t limit) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (error) return failure(error.message());
    if (std::filesystem::is_directory(status)) return failure("it is a directory; give the file in it");
    // Anything else, such as a pipe or a device, could keep the reader waiting for ever.
    if (!std::filesystem::is_regular_file(status)) return failure("it is not a regular file");

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return failure(reason(errno));
    std::string bytes;
    char buffer[16384];
    while (bytes.size() <= limit) {
        const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get());
        if (count == 0) break;
        bytes.append(buffer, count);
    }
    if (std::ferror(file.get())) return failure(reason(errno));
    return bytes;
}

}  // namespace

SourceLocation Located::where() const {
    return source ? source->where(text.data()) : SourceLocation{};
}

std::vector<Located> split(const Located& text, char separator) {
    std::vector<Located> pieces;
    for (const std::string_view piece : split(text.text, separator)) pieces.push_back({piece, text.source});
    return pieces;
}

SourceLocation SourceText::where(const char* character) const {
    const auto offset = static_cast<std::uint32_t>(character - text_.data());
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), offset,
                                        [](std::uint32_t value, const Run& run) { return value < run.begin; });
    const Run& run = *(after - 1);
    return {files_[run.file], run.line, run.column + static_cast<int>(offset - run.begin)};
}

Expected<void> SourceText::read_file(const std::string& path) {
    return load_file(path, {});
}

Expected<void> SourceText::read_text(std::string_view text, const std::string& name) {
    open_.push_back(canonical(name));
    return load_text(text, name);
}

Expected<void> SourceText::load_file(const std::string& path, const SourceLocation& include) {
    const bool included = include.line > 0;
    const std::string identity = canonical(path);
    if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
        return failure("Include of " + in_quotes(path) + " inside itself", include);
    }

    auto bytes = bytes_of_file(path, largest_size);
    if (!bytes) {
        // The place of an included file is the Include line; of the first one, the file itself.
        if (included) return failure("cannot read " + in_quotes(path) + ": " + bytes.error().message, include);
        return failure("cannot read the " + std::string(kind_) + ": " + bytes.error().message, {path, 0, 0});
    }
    open_.push_back(identity);
    auto loaded = load_text(*bytes, path);
    open_.pop_back();
    return loaded;
}

Expected<void> SourceText::load_text(std::string_view text, const std::string& name) {
    const int file = static_cast<int>(files_.size());
    files_.push_back(name);
    bytes_read_ += text.size();
    if (bytes_read_ > largest_size) {
        return failure("more than " + std::to_string(largest_size >> 20) + " MiB of text, files that are included too",
                       {name, 1, 0});
    }
    std::size_t begin = text_.size();
    int line = 0;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t end = std::min(text.find('\n', position), text.size());
        ASSIGN_OR_RETURN(const auto continued, append_line(text.substr(position, end - position), file, ++line));
        position = end + 1;
        if (continued && position < text.size()) continue;
        RETURN_IF_ERROR(finish_line(begin, file));
        begin = text_.size();
    }
    return {};
}

/// Appends one line of a file without its comment; gives whether the next line continues it.
Expected<bool> SourceText::append_line(std::string_view raw, int file, int line) {
    const auto start_run = [&](std::size_t position) {
        runs_.push_back({static_cast<std::uint32_t>(text_.size()), file, line, static_cast<int>(position) + 1});
    };
    const auto error_at = [&](std::size_t position, std::string message) {
        return failure(std::move(message), {files_[file], line, static_cast<int>(position) + 1});
    };
    if (const std::size_t nul = raw.find('\0'); nul != std::string_view::npos) {
        return error_at(nul, "byte 0x00 in the text; this is not a " + std::string(kind_));
    }
    start_run(0);
    for (std::size_t position = 0; position < raw.size(); ++position) {
        const char character = raw[position];
        if (character == '#') return false;
        if (character == '\\') {
            const std::string_view rest = raw.substr(position + 1);
            if (!rest.empty() && (rest[0] == '#' || rest[0] == '\\')) {
                start_run(++position);
            } else if (trimmed(rest).empty() || trimmed(rest)[0] == '#') {
                return true;
            } else {
                return error_at(position, R"('\' may stand at the end of a line, or before '#' or '\')");
            }
        } else if (blanks.find(character) == std::string_view::npos && (character < '!' || character > '~')) {
            return error_at(position,
                            "byte " + hexadecimal(character) + " outside a comment; expected plain ASCII text");
        }
        text_ += raw[position];
    }
    return false;
}

Expected<void> SourceText::finish_line(std::size_t begin, int file) {
    const std::string_view line = trimmed(std::string_view(text_).substr(begin));
    if (line.empty()) return {};
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    if (same_word(word, include_keyword)) {
        const std::string_view argument = trimmed(line.substr(word.size()));
        return include({argument.empty() ? line : argument, this}, file);
    }
    lines_.push_back({static_cast<std::uint32_t>(line.data() - text_.data()), static_cast<std::uint32_t>(line.size())});
    return {};
}

Expected<void> SourceText::include(const Located& argument, int file) {
    if (same_word(argument.text, include_keyword)) return argument.error("Include needs a file: Include FILE");
    if (argument.text.find_first_of(blanks) != std::string_view::npos) {
        return argument.error("Include takes one file, without blanks in its name");
    }
    if (static_cast<int>(open_.size()) > deepest_include) {
        return argument.error("Include nested more than " + std::to_string(deepest_include) + " deep");
    }
    if (static_cast<int>(files_.size()) >= most_files) {
        return argument.error("more than " + std::to_string(most_files) + " files");
    }
    const std::filesystem::path directory = std::filesystem::path(files_[file]).parent_path();
    return load_file((directory / std::string(argument.text)).string(), argument.where());
}

}  // namespace coll_topo
