// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/reduction/certified_kernels.hpp"
#include "test/reduction/certified_numbers.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

namespace coll_topo {
namespace {

constexpr InstructionSet all_sets[] = {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512,
                                       InstructionSet::neon};

/// Bytes at an address that is a multiple of nothing but `shift`, between others that must stay as they are.
class Bytes {
public:
    Bytes(std::size_t size, std::size_t shift) : bytes_(size + 2 * margin, untouched), shift_(shift), size_(size) {}
    std::byte* data() { return bytes_.data() + 64 + shift_; }
    std::size_t size() const { return size_; }
    bool intact_around() {
        for (std::byte* byte = bytes_.data(); byte < bytes_.data() + bytes_.size(); ++byte)
            if ((byte < data() || byte >= data() + size_) && *byte != untouched) return false;
        return true;
    }
    bool operator==(const Bytes& other) const { return bytes_ == other.bytes_; }

private:
    static constexpr std::size_t margin = 128;
    static constexpr std::byte untouched{0xa5};
    std::vector<std::byte> bytes_;
    std::size_t shift_, size_;
};

/// An array of sums as the kernels see it.
struct SumArray {
    SumArray(const CertifiedKernels& kernels, std::size_t count, std::size_t shift)
        : kernels(kernels),
          count(count),
          values(count * kernels.value_bytes, shift),
          low(count * kernels.low_bytes, shift),
          bound(count * sizeof(std::uint16_t), shift) {}

    Shadow shadow() { return {low.data(), reinterpret_cast<std::uint16_t*>(bound.data())}; }
    void expand() { kernels.expand(values.data(), shadow(), count); }
    void add_plain_to_plain(Bytes& source) {
        kernels.add_plain_to_plain(source.data(), values.data(), shadow(), count);
    }
    void add_plain(Bytes& source) { kernels.add_plain(source.data(), values.data(), shadow(), count); }
    void add_packed(Bytes& source) { kernels.add_packed(source.data(), values.data(), shadow(), count); }
    Bytes packed(std::size_t shift) {
        Bytes packed(count * kernels.packed_bytes, shift);
        kernels.pack(values.data(), shadow(), packed.data(), count);
        return packed;
    }
    bool settles() { return kernels.settles(values.data(), shadow(), count); }
    void round() { kernels.round(values.data(), shadow(), count); }
    std::size_t find_sentinel(std::size_t from) { return kernels.find_sentinel(values.data(), from, count); }

    bool same(const SumArray& other) const {
        return values == other.values && low == other.low && bound == other.bound;
    }
    bool intact_around() { return values.intact_around() && low.intact_around() && bound.intact_around(); }

    const CertifiedKernels& kernels;
    std::size_t count;
    Bytes values, low, bound;
};

template <typename Value>
class CertifiedKernelsOf : public testing::Test {
protected:
    /// Mostly of one kind, because vector code takes other paths where a neighbour is special.
    Bytes numbers(std::size_t count, Numbers kind, std::size_t shift) {
        Bytes bytes(count * sizeof(Value), shift);
        for (std::size_t i = 0; i < count; ++i) {
            const Value number = random_number<Value>(random() % 16 == 0 ? Numbers::all : kind, random);
            std::memcpy(bytes.data() + i * sizeof(Value), &number, sizeof number);
        }
        return bytes;
    }
    static Value value(SumArray& sums, std::size_t index) {
        Value value;
        std::memcpy(&value, sums.values.data() + index * sizeof value, sizeof value);
        return value;
    }
    static const CertifiedKernels& scalar() { return *certified_kernels(floating_type<Value>, InstructionSet::scalar); }

    std::mt19937_64 random{1};
};
TYPED_TEST_SUITE(CertifiedKernelsOf, TestedTypes);

/// All kernels, on two instruction sets side by side.
TYPED_TEST(CertifiedKernelsOf, GiveTheSameBitsWithEveryInstructionSet) {
    for (const InstructionSet set : all_sets) {
        const CertifiedKernels* kernels = certified_kernels(floating_type<TypeParam>, set);
        if (kernels == nullptr) continue;
        for (std::size_t count = 0; count <= 70; ++count) {
            for (const Numbers kind : {Numbers::normal, Numbers::wide, Numbers::subnormal, Numbers::huge, Numbers::ties,
                                       Numbers::cancelling, Numbers::zeros, Numbers::all}) {
                const std::size_t shift = this->random() % 64;
                SumArray own(*kernels, count, shift), wanted(this->scalar(), count, shift);
                const auto both = [&](auto step) {
                    step(own);
                    step(wanted);
                    ASSERT_TRUE(own.same(wanted)) << static_cast<int>(set) << " " << count;
                    ASSERT_TRUE(own.intact_around());
                };
                own.values = wanted.values = this->numbers(count, kind, shift);
                if (count % 2 == 0) {
                    auto first = this->numbers(count, kind, this->random() % 64);
                    both([&](SumArray& sums) { sums.add_plain_to_plain(first); });
                } else {
                    both([](SumArray& sums) { sums.expand(); });
                }
                for (int i = 0; i < 3; ++i) {
                    auto next = this->numbers(count, kind, this->random() % 64);
                    both([&](SumArray& sums) { sums.add_plain(next); });
                    Bytes packed = own.packed(shift);
                    ASSERT_TRUE(packed == wanted.packed(shift) && packed.intact_around());
                    both([&](SumArray& sums) { sums.add_packed(packed); });
                }
                ASSERT_EQ(own.settles(), wanted.settles());
                own.values = wanted.values;
                both([](SumArray& sums) { sums.round(); });
                for (std::size_t from = 0; from <= count; ++from)
                    ASSERT_EQ(own.find_sentinel(from), wanted.find_sentinel(from));
            }
        }
    }
}

TYPED_TEST(CertifiedKernelsOf, DoNotSeeWhetherASumIsPlain) {
    constexpr std::size_t count = 67;
    for (const InstructionSet set : all_sets) {
        const CertifiedKernels* kernels = certified_kernels(floating_type<TypeParam>, set);
        if (kernels == nullptr) continue;
        for (int trial = 0; trial < 40; ++trial) {
            auto source = this->numbers(count, Numbers::all, 3), target = this->numbers(count, Numbers::all, 5);
            SumArray plain(*kernels, count, 1), expanded(*kernels, count, 1), packed(*kernels, count, 1);
            plain.values = expanded.values = packed.values = target;
            plain.add_plain_to_plain(source);
            expanded.expand();
            expanded.add_plain(source);
            EXPECT_TRUE(plain.same(expanded));

            SumArray from(*kernels, count, 2);
            from.values = source;
            from.expand();
            Bytes message = from.packed(7);
            packed.expand();
            packed.add_packed(message);
            EXPECT_TRUE(plain.same(packed));
        }
    }
}

TYPED_TEST(CertifiedKernelsOf, PackAndUnpackAllOfASum) {
    constexpr std::size_t count = 29;
    const CertifiedKernels& kernels = certified_kernels(floating_type<TypeParam>);
    SumArray sums(kernels, count, 1), copy(kernels, count, 1);
    sums.values = this->numbers(count, Numbers::all, 1);
    auto more = this->numbers(count, Numbers::wide, 0), again = this->numbers(count, Numbers::wide, 0);
    sums.add_plain_to_plain(more);
    copy.values = sums.values;
    Bytes packed = sums.packed(3);
    kernels.unpack(packed.data(), copy.values.data(), copy.shadow(), count);
    EXPECT_TRUE(sums.same(copy));

    // The last two bytes are the last bound, and that is never the mark.
    std::uint16_t last = 0;
    std::memcpy(&last, packed.data() + packed.size() - 2, 2);
    EXPECT_EQ(std::memcmp(&last, sums.bound.data() + sums.bound.size() - 2, 2), 0);
    EXPECT_NE(last, unpacked_mark);
}

TYPED_TEST(CertifiedKernelsOf, SettleWhereAllIsInTheValues) {
    constexpr std::size_t count = 37;
    for (const InstructionSet set : all_sets) {
        const CertifiedKernels* kernels = certified_kernels(floating_type<TypeParam>, set);
        if (kernels == nullptr) continue;
        for (std::size_t odd = 0; odd <= count; ++odd) {
            Bytes ones(count * sizeof(TypeParam), 1), others(count * sizeof(TypeParam), 1);
            for (std::size_t i = 0; i < count; ++i) {
                const TypeParam one = 1, other = i == odd ? std::numeric_limits<TypeParam>::epsilon() / 8 : 2;
                std::memcpy(ones.data() + i * sizeof one, &one, sizeof one);
                std::memcpy(others.data() + i * sizeof one, &other, sizeof one);
            }
            SumArray sums(*kernels, count, 2);
            sums.values = ones;
            sums.add_plain_to_plain(others);
            ASSERT_EQ(sums.settles(), odd == count);
            for (std::size_t i = 0; i < count && odd == count; ++i) ASSERT_EQ(this->value(sums, i), TypeParam(3));
        }
    }
}

/// As a collective does it: plain operands first, then packed sums of several ranks.
TYPED_TEST(CertifiedKernelsOf, RoundTheExactSum) {
    constexpr std::size_t count = 41;
    for (const InstructionSet set : all_sets) {
        const CertifiedKernels* kernels = certified_kernels(floating_type<TypeParam>, set);
        if (kernels == nullptr) continue;
        for (const Numbers kind : finite_numbers) {
            std::vector<ExactReference<TypeParam>> exact(count);
            std::vector<bool> negative_zero(count, true);
            const auto contribution = [&] {
                Bytes bytes(count * sizeof(TypeParam), 1);
                for (std::size_t i = 0; i < count; ++i) {
                    const auto number = random_number<TypeParam>(kind, this->random);
                    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
                    exact[i].add(number);
                    if (number != 0 || !std::signbit(number)) negative_zero[i] = false;
                }
                return bytes;
            };
            const auto node = [&] {
                SumArray sums(*kernels, count, 1);
                sums.values = contribution();
                auto second = contribution(), third = contribution();
                sums.add_plain_to_plain(second);
                sums.add_plain(third);
                return sums;
            };
            SumArray sums = node();
            for (int i = 0; i < 5; ++i) {
                Bytes packed = node().packed(1);
                sums.add_packed(packed);
            }
            sums.round();
            int certain = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const TypeParam result = this->value(sums, i);
                if (same_bits(result, sentinel<TypeParam>)) continue;
                ++certain;
                ASSERT_TRUE(same_bits(result, negative_zero[i] ? -TypeParam(0) : exact[i].rounded()));
            }
            EXPECT_GE(certain, kind == Numbers::normal ? static_cast<int>(count) : 0);
        }
    }
}

TEST(CertifiedKernels, HaveTheSizesOfTheirTypes) {
    const CertifiedKernels& single = certified_kernels(FloatingType::single_precision);
    EXPECT_EQ(single.value_bytes, 4U);
    EXPECT_EQ(single.low_bytes, 8U);
    EXPECT_EQ(single.packed_bytes, 10U);
    const CertifiedKernels& twice = certified_kernels(FloatingType::double_precision);
    EXPECT_EQ(twice.value_bytes, 8U);
    EXPECT_EQ(twice.packed_bytes, 18U);
    EXPECT_EQ(certified_kernels(FloatingType::extended_precision).packed_bytes, 2 * sizeof(long double) + 2);
}

}  // namespace
}  // namespace coll_topo
