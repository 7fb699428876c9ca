// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace coll_topo::tool {

Expected<void> write_file(const std::string& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (file) return {};
    return failure("cannot write the file" + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""), {path});
}

}  // namespace coll_topo::tool
