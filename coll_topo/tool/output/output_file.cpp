// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coll_topo::tool {

namespace fs = std::filesystem;

namespace {

bool write_text(const fs::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    return static_cast<bool>(file);
}

/// Makes an empty file beside one, to put in its place; an empty path if that cannot be done, as where only the file
/// itself can be written, or is a device.
fs::path file_beside(const fs::path& old) {
    std::error_code error;
    const fs::path fresh = old.string() + ".new";
    const bool there = fs::exists(old, error);
    if ((there && !fs::is_regular_file(old, error)) || fs::exists(fresh, error) || !write_text(fresh, "")) return {};
    if (there) fs::permissions(fresh, fs::status(old, error).permissions(), error);
    return fresh;
}

}  // namespace

Expected<void> write_file(const std::string& path, std::string_view text) {
    std::error_code error;
    const bool is_link = fs::is_symlink(path, error);
    const fs::path old = is_link || fs::exists(path, error) ? fs::canonical(path, error) : fs::path(path);
    const fs::path fresh = error ? fs::path() : file_beside(old);
    errno = 0;
    const bool written = write_text(fresh.empty() ? fs::path(path) : fresh, text);
    const int reason = errno;
    if (fresh.empty() && written) return {};
    if (written) fs::rename(fresh, old, error);
    if (written && !error) return {};
    if (!fresh.empty()) fs::remove(fresh, error);
    return failure("cannot write the file" + (reason != 0 ? std::string(": ") + std::strerror(reason) : ""), {path});
}

}  // namespace coll_topo::tool
