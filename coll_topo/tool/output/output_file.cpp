// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coll_topo::tool {

namespace {

bool write_text(const std::filesystem::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    return static_cast<bool>(file);
}

/// Puts a new file in the place of an old one, which is there until then; false, and errno, if that cannot be done.
bool replace_file(const std::string& path, std::string_view text) {
    std::error_code error;
    const std::filesystem::path old = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_regular_file(old, error)) return false;
    std::filesystem::path fresh = old;
    fresh += ".new";
    if (std::filesystem::exists(fresh, error)) return false;
    if (write_text(fresh, text)) {
        std::filesystem::permissions(fresh, std::filesystem::status(old, error).permissions(), error);
        if (!error) std::filesystem::rename(fresh, old, error);
        if (!error) return true;
    }
    const int reason = errno;
    std::filesystem::remove(fresh, error);
    errno = reason;
    return false;
}

}  // namespace

Expected<void> write_file(const std::string& path, std::string_view text) {
    errno = 0;
    if (replace_file(path, text)) return {};
    if (errno != ENOSPC && errno != EDQUOT) {
        // The folder may be one in which only the file itself can be written.
        errno = 0;
        if (write_text(path, text)) return {};
    }
    return failure("cannot write the file" + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""), {path});
}

}  // namespace coll_topo::tool
