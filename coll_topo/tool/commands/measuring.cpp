// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/commands/measuring.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coll_topo::tool {

Expected<std::string> contents_of(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file) return text;
    return failure(std::string("cannot read the file: ") + std::strerror(errno), {path});
}

std::string program_beside(const std::string& name) {
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = own.parent_path() / name;
    return !error && std::filesystem::exists(beside, error) ? beside.string() : name;
}

}  // namespace coll_topo::tool
