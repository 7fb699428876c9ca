// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/engine/build_fingerprint.hpp"

#include "coll_topo/base/digest.hpp"
#include "coll_topo/engine/engine.h"

#include <link.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <optional>
#include <string_view>

namespace coll_topo {

namespace {

using Header = ElfW(Phdr);

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What dl_iterate_phdr() is to find.
struct Search {
    std::uintptr_t address;
    bool by_content;
    std::optional<Digest> found;
};

std::span<const std::byte> memory_of(const dl_phdr_info& file, const Header& header) {
    return {reinterpret_cast<const std::byte*>(file.dlpi_addr + header.p_vaddr), header.p_memsz};
}

bool holds(const dl_phdr_info& file, std::span<const Header> headers, std::uintptr_t address) {
    for (const Header& header : headers) {
        const std::uintptr_t begin = file.dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && address >= begin && address - begin < header.p_memsz) return true;
    }
    return false;
}

/// Whether there was a build id to add.
bool add_build_id(const dl_phdr_info& file, std::span<const Header> headers, Digest& digest) {
    for (const Header& header : headers) {
        if (header.p_type != PT_NOTE) continue;
        const auto id = find_build_id(memory_of(file, header), header.p_align);
        if (id.empty()) continue;
        digest.add(text_of(id));
        return true;
    }
    return false;
}

/// Up to 8 bytes. What lies between variables is part of a segment, but nothing the address sanitizer lets anybody
/// read.
[[gnu::no_sanitize_address]] std::uint64_t word_at(const std::byte* address, std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i) word = word << 8 | static_cast<std::uint64_t>(address[i]);
    return word;
}

/// The loader changes nothing in segments that cannot be written.
void add_content(const dl_phdr_info& file, std::span<const Header> headers, Digest& digest) {
    for (const Header& header : headers) {
        const bool constant = (header.p_flags & PF_R) != 0 && (header.p_flags & PF_W) == 0;
        if (header.p_type != PT_LOAD || !constant) continue;
        const std::span<const std::byte> memory = memory_of(file, header);
        for (std::size_t at = 0; at < memory.size(); at += sizeof(std::uint64_t)) {
            digest.add(word_at(&memory[at], std::min(memory.size() - at, sizeof(std::uint64_t))));
        }
    }
}

int look_at(dl_phdr_info* file, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    const std::span<const Header> headers(file->dlpi_phdr, file->dlpi_phnum);
    if (!holds(*file, headers, search.address)) return 0;
    Digest digest;
    if (search.by_content || !add_build_id(*file, headers, digest)) add_content(*file, headers, digest);
    search.found = digest;
    return 1;
}

}  // namespace

std::span<const std::byte> find_build_id(std::span<const std::byte> notes, std::size_t alignment) {
    constexpr std::string_view owner("GNU", 4);  // with the null character
    const std::size_t unit = alignment == 8 ? 8 : 4;
    const auto padded = [&](std::size_t size) { return (size + unit - 1) / unit * unit; };
    ElfW(Nhdr) note;
    while (notes.size() >= sizeof note) {
        std::memcpy(&note, notes.data(), sizeof note);
        const std::size_t description = padded(sizeof note + note.n_namesz);
        if (description > notes.size() || note.n_descsz > notes.size() - description) return {};
        const auto name = notes.subspan(sizeof note, note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && text_of(name) == owner) return notes.subspan(description, note.n_descsz);
        const std::size_t next = padded(description + note.n_descsz);
        if (next >= notes.size()) return {};
        notes = notes.subspan(next);
    }
    return {};
}

std::uint64_t file_fingerprint(const void* address, bool by_content) {
    Search search{reinterpret_cast<std::uintptr_t>(address), by_content, {}};
    dl_iterate_phdr(look_at, &search);
    return search.found ? search.found->value() : 0;
}

}  // namespace coll_topo

using namespace coll_topo;

uint64_t coll_topo_build_fingerprint(void) {
    static const char here = 0;
    Digest digest(file_fingerprint(&here));
    digest.add(std::string_view(PACKAGE_VERSION));
    digest.add(std::string_view(__VERSION__));
    digest.add(FLT_EVAL_METHOD);
#if defined(__FAST_MATH__)
    digest.add(1);
#else
    digest.add(0);
#endif
    return digest.value();
}
