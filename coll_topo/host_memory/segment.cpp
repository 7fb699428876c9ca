// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace coll_topo {
namespace {

/// A longer file would end the process (SIGXFSZ), even one that is nowhere.
bool may_have_file_of(std::size_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

}  // namespace

Segment::~Segment() {
    seal();
    if (memory_ != nullptr) munmap(memory_, mapped_);
}

bool Segment::create(std::size_t bytes) {
    Token token;
    if (!may_have_file_of(lead + bytes)) return false;
    if (getrandom(token.data(), sizeof token, 0) != static_cast<ssize_t>(sizeof token)) return false;
    descriptor_ = memfd_create("coll_topo", MFD_CLOEXEC);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(lead + bytes)) != 0 || !map(bytes)) return false;
    *reinterpret_cast<Token*>(memory_) = token;
    return true;
}

bool Segment::join(pid_t process, int descriptor, const Token& token, std::size_t bytes) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%ld/fd/%d", static_cast<long>(process), descriptor);
    // In another namespace this may be anything: nothing but a regular file of that size is looked into.
    descriptor_ = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size != static_cast<off_t>(lead + bytes) || !map(bytes)) {
        return false;
    }
    return this->token() == token;
}

void Segment::seal() {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

bool Segment::map(std::size_t bytes) {
    void* const memory = mmap(nullptr, lead + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = static_cast<std::byte*>(memory);
    mapped_ = lead + bytes;
    return true;
}

}  // namespace coll_topo
