// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/certified_sums.hpp"

#include <cstring>
#include <utility>

namespace coll_topo::test {

CertifiedSums::CertifiedSums(const CertifiedKernels& kernels, const void* values, std::size_t count)
    : kernels_(&kernels),
      count_(count),
      values_(kernels.value_bytes * count + 1),
      low_(kernels.low_bytes * count + 1, std::byte{0xa5}),  // undefined while the sums are plain
      bounds_(count, 0x5a5a) {
    std::memcpy(values_.data() + 1, values, kernels.value_bytes * count);
}

void CertifiedSums::expand() {
    if (plain_) kernels_->expand(values_.data() + 1, shadow(), count_);
    plain_ = false;
}

void CertifiedSums::forget_shadow_if_settled() {
    if (!plain_ && kernels_->settles(values_.data() + 1, shadow(), count_)) {
        plain_ = true;
        std::memset(low_.data(), 0xa5, low_.size());
        bounds_.assign(count_, 0x5a5a);
    }
}

Bytes CertifiedSums::pack() {
    expand();
    Bytes message(kernels_->packed_bytes * count_ + 1);
    kernels_->pack(values_.data() + 1, shadow(), message.data() + 1, count_);
    std::uint16_t end;
    std::memcpy(&end, message.data() + message.size() - sizeof end, sizeof end);
    marked_ = marked_ && end != unpacked_mark;
    return message;
}

void CertifiedSums::add(CertifiedSums& source, Random& random) {
    if (random() % 3 == 0) forget_shadow_if_settled();
    if (random() % 3 == 0) source.forget_shadow_if_settled();
    if (random() % 4 == 0) expand();
    if (source.plain_ && random() % 4 != 0) {
        const auto add = plain_ ? kernels_->add_plain_to_plain : kernels_->add_plain;
        add(source.values_.data() + 1, values_.data() + 1, shadow(), count_);
        plain_ = false;
        return;
    }
    const Bytes message = source.pack();
    marked_ = marked_ && source.marked_;
    if (plain_ && random() % 2 == 0) {
        // The other way round: what came is the target.
        const Bytes own = std::exchange(values_, Bytes(values_.size()));
        kernels_->unpack(message.data() + 1, values_.data() + 1, shadow(), count_);
        kernels_->add_plain(own.data() + 1, values_.data() + 1, shadow(), count_);
        plain_ = false;
        return;
    }
    expand();
    kernels_->add_packed(message.data() + 1, values_.data() + 1, shadow(), count_);
}

const std::byte* CertifiedSums::round() {
    expand();
    kernels_->round(values_.data() + 1, shadow(), count_);
    return values_.data() + 1;
}

CertifiedSums certified_sums(const CertifiedKernels& kernels, const std::vector<Bytes>& operands, std::size_t count,
                             Random& random) {
    std::vector<CertifiedSums> parts;
    for (const Bytes& values : operands) parts.emplace_back(kernels, values.data(), count);
    while (parts.size() > 1) {
        std::swap(parts.back(), parts[random() % parts.size()]);
        CertifiedSums source = std::move(parts.back());
        parts.pop_back();
        parts[random() % parts.size()].add(source, random);
    }
    return std::move(parts.front());
}

}  // namespace coll_topo::test
