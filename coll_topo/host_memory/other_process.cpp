// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/host_memory/other_process.hpp"

#include <sys/uio.h>

namespace coll_topo {
namespace {

using Copy = decltype(process_vm_readv);

bool copy(Copy* how, pid_t process, std::uint64_t address, std::byte* own, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
        const iovec local{own + done, bytes - done};
        const iovec remote{reinterpret_cast<void*>(address + done), bytes - done};
        const ssize_t copied = how(process, &local, 1, &remote, 1, 0);
        if (copied <= 0) return false;
        done += static_cast<std::size_t>(copied);
    }
    return true;
}

}  // namespace

bool read_process(pid_t process, std::uint64_t address, void* into, std::size_t bytes) {
    return copy(process_vm_readv, process, address, static_cast<std::byte*>(into), bytes);
}

bool write_process(pid_t process, std::uint64_t address, const void* from, std::size_t bytes) {
    return copy(process_vm_writev, process, address, static_cast<std::byte*>(const_cast<void*>(from)), bytes);
}

}  // namespace coll_topo
