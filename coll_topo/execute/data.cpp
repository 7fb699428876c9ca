// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/execute/data.hpp"

#include "coll_topo/schedule/latency_bound.hpp"

#include <algorithm>

namespace coll_topo {
namespace {

/// Where the blocks of a vector of pieces of different sizes begin.
void fill_piece_table(const Program& program, int cuts, coll_topo_piece_counts counts, std::size_t* vector) {
    std::size_t end = 0;
    for (int block = 0; block < program.blocks; ++block) {
        const std::size_t piece = coll_topo_piece_count(counts, block / cuts), cut = block % cuts;
        vector[block] = end + cut * piece / cuts;
        if (static_cast<int>(cut) == cuts - 1) end += piece;
    }
    vector[program.blocks] = end;
}

/// The buffer, unless its elements are packed and unpacked.
std::optional<Buffer> usable(std::optional<Buffer> buffer, const coll_topo_transport& transport) {
    const bool packs = buffer == Buffer::input ? transport.pack != nullptr : transport.unpack != nullptr;
    return packs ? std::nullopt : buffer;
}

}  // namespace

Data::Data(const Plan& plan, PlanTables& tables, coll_topo_transport& transport, const coll_topo_buffers& buffers)
    : plan_(plan),
      tables_(tables),
      transport_(transport),
      buffers_(buffers),
      scratch_in_(usable(plan.scratch_in, transport)),
      sends_input_(plan.collective == Collective::allgather && scratch_in_ && transport.pack == nullptr),
      vector_(plan.layout.vector(buffers.elements)),
      maps_{&vector_, &vector_, &vector_} {
    const bool apart = !plan.untouched.first_block.empty() && transport.reduce_apart != nullptr;
    operands_ = apart ? const_cast<std::byte*>(static_cast<const std::byte*>(buffers.operands)) : nullptr;
    // `input` is only ever read.
    base_[static_cast<int>(Buffer::input)] = const_cast<std::byte*>(static_cast<const std::byte*>(buffers.input));
    base_[static_cast<int>(Buffer::output)] = static_cast<std::byte*>(buffers.output);
    base_[static_cast<int>(Buffer::scratch)] = nullptr;
    lay_out(buffers);
}

void Data::lay_out(const coll_topo_buffers& buffers) {
    const BlockLayout& layout = plan_.layout;
    if (layout.has_pieces() && coll_topo_has_piece_counts(buffers.piece_elements) != 0) {
        fill_piece_table(plan_.program, layout.cuts(), buffers.piece_elements, tables_.piece_table.data());
        vector_ = BlockMap::table(tables_.piece_table.data());
        lay_out_scratch(PlanTables::unknown);
    } else if (layout.needs_table(buffers.elements)) {
        lay_out_scratch(buffers.elements);
    } else if (layout.has_scratch_by_lane()) {
        use(Buffer::scratch, scratch_.emplace(layout.scratch(buffers.elements, vector_)));
    }
    if (const auto own = own_piece_buffer(plan_.collective)) {
        own_piece_ = layout.existing(*own, plan_.rank);
        first_[static_cast<int>(*own)] = vector_.offset(own_piece_.begin);
    }
    if (const coll_topo_pieces* const pieces = transport_.pieces) {
        use(Buffer::input, input_pieces_.emplace(BlockMap::table(pieces->input_begin)));
        use(Buffer::output, output_pieces_.emplace(BlockMap::table(pieces->output_begin)));
    }
    // A single piece is the first block of scratch, whichever it is of the vector.
    if (scratch_in_ && *scratch_in_ != own_piece_buffer(plan_.collective)) {
        use(Buffer::scratch, *maps_[static_cast<int>(*scratch_in_)]);
    }
    if (operands_ != nullptr && transport_.unpack == nullptr && transport_.partial_sums == nullptr) {
        put_in_buffer(plan_.piece_in_output, Buffer::output);
    }
    if (!moves_pieces(plan_.collective)) return;
    if (const auto own = usable(own_piece_buffer(plan_.collective), transport_)) {
        put_in_buffer(plan_.own_piece_in_buffer, *own);
    }
}

void Data::put_in_buffer(const BlockRange& blocks, Buffer buffer) {
    piece_begin_ = offset(Buffer::scratch, blocks.begin);
    piece_elements_ = offset(Buffer::scratch, blocks.end) - piece_begin_;
    piece_buffer_ = buffer;
}

void Data::lay_out_scratch(std::size_t elements) {
    std::vector<std::size_t>& table = tables_.scratch_table.begin;
    if (elements == PlanTables::unknown || elements != tables_.scratch_table.elements) {
        fill_scratch_table(plan_.program.scratch_order, vector_, table.data());
        tables_.scratch_table.elements = elements;
    }
    use(Buffer::scratch, scratch_.emplace(BlockMap::table(table.data())));
}

int Data::set_scratch(std::byte* memory) {
    std::byte*& scratch = base_[static_cast<int>(Buffer::scratch)];
    if (scratch_in_) {
        scratch = base_[static_cast<int>(*scratch_in_)];
        return 0;
    }
    scratch = memory + transport_.scratch_lead;
    if (transport_.partial_sums == nullptr) return 0;
    return transport_.partial_sums->use_scratch(&transport_, scratch, scratch_elements());
}

int Data::begin() const {
    if (vector_form(plan_.collective) != VectorForm::whole || buffers_.operands == nullptr) return 0;
    if (operands_ != nullptr) return bring_needed(0, plan_.program.blocks, 0);
    return transport_.copy(&transport_, buffers_.output, buffers_.operands, buffers_.elements);
}

int Data::reduce(std::byte* source, std::byte* target, const std::byte* operands, std::size_t elements,
                 Operand source_stands) const {
    if (operands != nullptr) {
        const bool left = source_stands == Operand::left;
        transport_.reduce_apart(&transport_, left ? source : operands, left ? operands : source, target, elements);
        return 0;
    }
    if (source_stands == Operand::left || transport_.commutative) {
        transport_.reduce(&transport_, source, target, elements);
        return 0;
    }
    transport_.reduce(&transport_, target, source, elements);
    return transport_.copy(&transport_, target, source, elements);
}

int Data::send(const Action& action, const std::byte* data, std::size_t elements, int lane, void** request) const {
    const bool partial = transport_.partial_sums != nullptr && !plan_.moves_results(action);
    return (partial ? transport_.partial_sums->send : transport_.send)(&transport_, data, elements, action.peer, lane,
                                                                       request);
}

int Data::receive(const Action& action, std::byte* data, std::size_t elements, int lane, void** request) const {
    auto post = transport_.receive;
    if (transport_.partial_sums != nullptr && !plan_.moves_results(action)) {
        const bool operand = action.kind == ActionKind::receive_reduce;
        post = operand ? transport_.partial_sums->receive_operand : transport_.partial_sums->receive;
    }
    return post(&transport_, data, elements, action.peer, lane, request);
}

int Data::run_local(const Action& action) const {
    const std::size_t count = elements(action);
    if (count == 0) return 0;
    if (operands_ != nullptr && plan_.untouched.only_brings(plan_.program, action)) {
        return bring_needed(action.at, action.count, action.first - action.at);
    }
    if (action.kind == ActionKind::copy) return copy(action, count);
    std::byte* const source = source_of(action);
    return reduce(source, address(action.target, action.at), nullptr, count, action.operand);
}

std::size_t Data::elements_copied_late() const {
    if (!plan_.own_piece_late || transport_.pieces != nullptr) return 0;
    if (plan_.collective == Collective::allgather && !sends_input_) return 0;
    const BlockRange own = plan_.layout.piece(plan_.rank);
    const std::size_t begin = offset(late_target(), own.begin), elements = offset(late_target(), own.end) - begin;
    if (elements * transport_.element_bytes <= latency_bound_bytes) return 0;
    const bool in_place = address(Buffer::input, own.begin) == address_of(late_target(), begin);
    return in_place ? 0 : elements;
}

int Data::copy_late(std::size_t from, std::size_t elements) const {
    const std::int32_t own = plan_.layout.piece(plan_.rank).begin;
    const std::ptrdiff_t bytes = extent_of(from);
    return transport_.copy(&transport_, address(late_target(), own) + bytes, address(Buffer::input, own) + bytes,
                           elements);
}

int Data::bring_needed(std::int32_t first, std::int32_t count, std::int32_t in_vector) const {
    const BlockRange& apart = plan_.piece_in_output;
    int error = 0;
    plan_.untouched.for_needed(first, count, [&](std::int32_t block, std::int32_t blocks) {
        const std::int32_t end = block + blocks;
        for (const std::int32_t stop : {std::clamp(apart.begin, block, end), std::clamp(apart.end, block, end), end}) {
            if (error == 0) error = bring(block, stop - block, in_vector);
            block = stop;
        }
    });
    return error;
}

int Data::bring(std::int32_t first, std::int32_t count, std::int32_t in_vector) const {
    const Buffer buffer = vector_form(plan_.collective) == VectorForm::whole ? Buffer::output : Buffer::scratch;
    const std::size_t begin = offset(Buffer::output, first + in_vector);
    const std::size_t elements = offset(Buffer::output, first + in_vector + count) - begin;
    if (elements == 0) return 0;
    return transport_.copy(&transport_, address(buffer, first), operands_ + extent_of(begin), elements);
}

int Data::copy(const Action& action, std::size_t elements) const {
    if (transport_.pieces != nullptr) return transport_.pieces->copy(&transport_, action.first, action.at);
    if (transport_.pack != nullptr && action.buffer == Buffer::input) {
        return transport_.pack(&transport_, address(action.target, action.at), in_memory(action.buffer, action.first),
                               elements);
    }
    if (transport_.unpack != nullptr && action.target == Buffer::output) {
        return transport_.unpack(&transport_, address(action.buffer, action.first), in_memory(action.target, action.at),
                                 elements);
    }
    std::byte *const source = source_of(action), *const target = address(action.target, action.at);
    return source == target ? 0 : transport_.copy(&transport_, target, source, elements);
}

}  // namespace coll_topo
