// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/fabric/name_table.hpp"

namespace coll_topo {

namespace {

std::size_t hash(std::string_view name) {
    std::uint64_t value = 14695981039346656037u;  // FNV-1a
    for (const char character : name) {
        value = (value ^ static_cast<unsigned char>(character)) * 1099511628211u;
    }
    return static_cast<std::size_t>(value ^ (value >> 32));
}

}  // namespace

std::string_view NameTable::name(int index) const {
    return std::string_view(characters_).substr(begin_[index], begin_[index + 1] - begin_[index]);
}

std::size_t NameTable::slot(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(name) & mask;
    while (slots_[slot] != missing && this->name(slots_[slot]) != name) slot = (slot + 1) & mask;
    return slot;
}

int NameTable::find(std::string_view name) const {
    return slots_.empty() ? missing : slots_[slot(name)];
}

int NameTable::add(std::string_view name) {
    // At most two thirds full, so that searches stay short.
    if (slots_.size() * 2 < (begin_.size() + 1) * 3) grow();
    const std::size_t place = slot(name);
    if (slots_[place] != missing) return missing;
    const int index = size();
    slots_[place] = index;
    characters_ += name;
    begin_.push_back(static_cast<std::uint32_t>(characters_.size()));
    return index;
}

void NameTable::grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, missing);
    const std::size_t mask = slots_.size() - 1;
    for (int index = 0; index < size(); ++index) {
        std::size_t place = hash(name(index)) & mask;
        while (slots_[place] != missing) place = (place + 1) & mask;  // all names differ
        slots_[place] = index;
    }
}

}  // namespace coll_topo
