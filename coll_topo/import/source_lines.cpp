// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/import/source_lines.hpp"

#include "coll_topo/base/return_if_error.hpp"
#include "coll_topo/input/wording.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coll_topo::importing {

namespace {

constexpr std::size_t largest_source = std::size_t{1} << 30;
constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

}  // namespace

bool SourceLines::next(SourceLine& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    current_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (current_.ends_with('\r')) current_.remove_suffix(1);
    line = {current_, ++number_};
    return true;
}

SourceLocation SourceLines::where(std::string_view piece) const {
    return {file_, number_, static_cast<int>(piece.data() - current_.data()) + 1};
}

Expected<std::string_view> checked_source(std::string_view text, const std::string& name) {
    if (text.size() > largest_source) return failure("larger than 1 GiB", {name});
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
        return failure("the text is in UTF-16; iconv -f UTF-16 -t UTF-8 converts it", {name, 1, 1});
    }
    if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
    const std::size_t zero = text.find('\0');
    if (zero != std::string_view::npos) {
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
        return failure("character " + hexadecimal('\0') + "; expected plain text", {name, static_cast<int>(lines) + 1});
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return failure("the file is empty; has the program failed that should have written it?", {name, 1});
    return text;
}

Expected<std::string> read_source(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return failure("a folder; expected a file", {path});
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) return failure(std::string("cannot read the file: ") + std::strerror(errno), {path});
    const auto checked = checked_source(text, path);
    RETURN_IF_ERROR(checked);
    text.erase(0, text.size() - checked->size());
    return text;
}

std::string_view without_blanks_around(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return text.substr(text.size());
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view take_word(std::string_view& text) {
    text = without_blanks_around(text);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::string_view word = text.substr(0, end);
    text = without_blanks_around(text.substr(end));
    return word;
}

}  // namespace coll_topo::importing
