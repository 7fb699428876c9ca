// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/verify/memory.hpp"

namespace coll_topo::verify {

std::string buffer_name(Buffer buffer) {
    switch (buffer) {
        case Buffer::input:
            return "input";
        case Buffer::output:
            return "output";
        case Buffer::scratch:
            break;
    }
    return "scratch";
}

Memory::Memory(Collective collective, const Program& program, int rank, int ranks)
    : layout_(collective, program, ranks),
      cut_of_piece_(vector_form(collective) == VectorForm::square || is_neighborhood(collective)),
      scratch_order_(program.scratch_order) {
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
        const BlockRange blocks = layout_.existing(buffer, rank);
        parts_[static_cast<std::size_t>(buffer)] = {blocks, locations_ - blocks.begin};
        locations_ += blocks.end - blocks.begin;
    }
}

std::string Memory::name(int location) const {
    return buffer_name(buffer_of(location)) + " block " + std::to_string(block_of(location));
}

}  // namespace coll_topo::verify
