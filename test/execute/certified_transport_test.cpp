// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of partial sums that are sent, received over each other, copied and added, one call at a time.
#include "coll_topo/execute/certified_transport.hpp"

#include "test/execute/in_process_transport.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace coll_topo::test {
namespace {

template <typename Value>
constexpr FloatingType type_of = std::is_same_v<Value, float>    ? FloatingType::single_precision
                                 : std::is_same_v<Value, double> ? FloatingType::double_precision
                                                                 : FloatingType::extended_precision;

/// A rank with two buffers of sums.
template <typename Value>
struct Rank {
    Rank(MessageBoard& board, int number, std::size_t elements)
        : output(elements),
          scratch(elements),
          bytes(
              board, number, 1, [](const void*, const void*) {}, true),
          transport(bytes, certified_kernels(type_of<Value>), 1, memory) {
        EXPECT_EQ(transport.use_output(output.data(), elements), 0);
        EXPECT_EQ(hooks().use_scratch(&transport, scratch.data(), elements), 0);
    }
    const coll_topo_partial_sums& hooks() const { return *transport.partial_sums; }

    std::vector<Value> output, scratch;
    InProcessTransport bytes;
    CertifiedMemory memory;
    CertifiedTransport transport;
};

template <typename Value>
class CertifiedTransportTest : public testing::Test {
protected:
    static constexpr std::size_t most = 1200;  // more than are packed at a time
    /// Added to 1 it stays in the low part.
    static constexpr Value small = std::numeric_limits<Value>::epsilon() / 8;

    /// Sends `count` partial sums from the beginning of the other's output.
    void pass(Value* target, std::size_t count) { deliver(other_.hooks().send, own_.hooks().receive, target, count); }
    void pass_results(Value* target, std::size_t count) {
        deliver(other_.transport.send, own_.transport.receive, target, count);
    }
    void add_theirs(Value* target, std::size_t count) {
        operands_.resize(count * own_.hooks().operand_extent);
        deliver(other_.hooks().send, own_.hooks().receive_operand, operands_.data(), count);
        own_.transport.reduce(&own_.transport, operands_.data(), target, count);
    }
    /// To every element, through the other's output.
    void add(Value* target, std::size_t count, Value value) {
        fill(value);
        add_theirs(target, count);
    }
    /// A plain value in all elements of the other's output.
    void fill(Value value) {
        EXPECT_EQ(other_.transport.use_output(other_.output.data(), most), 0);
        std::ranges::fill(other_.output, value);
    }
    /// The other's output becomes 1 + small, which is no value.
    void fill_with_partial_sums() {
        fill(1);
        std::ranges::fill(own_.output, small);
        deliver_back();
    }
    std::vector<Value> finish() {
        own_.transport.finish();
        return own_.output;
    }

    MessageBoard board_;
    Rank<Value> own_{board_, 0, most}, other_{board_, 1, most};

private:
    template <typename Send, typename Receive>
    void deliver(Send send, Receive receive, void* target, std::size_t count) {
        void *sent = nullptr, *received = nullptr;
        ASSERT_EQ(receive(&own_.transport, target, count, 1, 0, &received), 0);
        ASSERT_EQ(send(&other_.transport, other_.output.data(), count, 0, 0, &sent), 0);
        ASSERT_EQ(own_.transport.test(&own_.transport, &received), 1);
        ASSERT_EQ(other_.transport.test(&other_.transport, &sent), 1);
    }
    /// Adds the own output, as operands, to the other's.
    void deliver_back() {
        void *sent = nullptr, *received = nullptr;
        operands_.resize(most * own_.hooks().operand_extent);
        ASSERT_EQ(other_.hooks().receive_operand(&other_.transport, operands_.data(), most, 0, 0, &received), 0);
        ASSERT_EQ(own_.hooks().send(&own_.transport, own_.output.data(), most, 1, 0, &sent), 0);
        ASSERT_EQ(other_.transport.test(&other_.transport, &received), 1);
        ASSERT_EQ(own_.transport.test(&own_.transport, &sent), 1);
        other_.transport.reduce(&other_.transport, operands_.data(), other_.output.data(), most);
    }

    std::vector<std::byte> operands_;
};

using Types = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(CertifiedTransportTest, Types);

TYPED_TEST(CertifiedTransportTest, SumsKeepWhatTheirValuesHaveNoRoomFor) {
    TypeParam* const output = this->own_.output.data();
    this->fill_with_partial_sums();
    std::ranges::fill(this->own_.output, TypeParam{0});
    this->add_theirs(output, 3);
    this->add(output, 3, -1);
    EXPECT_EQ(this->finish()[2], this->small);
}

// Operands arrive in memory that others have left.
TYPED_TEST(CertifiedTransportTest, PlainOperandsFollowPackedOnes) {
    TypeParam* const output = this->own_.output.data();
    this->fill_with_partial_sums();
    std::ranges::fill(this->own_.output, TypeParam{0});
    for (const int value : {-1, 5, 7}) {
        this->add_theirs(output, 2);
        this->fill(static_cast<TypeParam>(value));
    }
    EXPECT_EQ(this->finish()[1], 1 - 1 + 5) << "and a rest that rounding takes";
}

TYPED_TEST(CertifiedTransportTest, WhatIsReceivedReplacesAPartialSum) {
    TypeParam* const output = this->own_.output.data();
    for (const bool results : {false, true}) {
        this->fill_with_partial_sums();
        this->pass(output, 4);
        this->fill(3);
        if (results)
            this->pass_results(output, 4);
        else
            this->pass(output, 4);
        this->add(output, 4, -3);
        EXPECT_EQ(this->finish()[3], 0) << (results ? "a result" : "a plain value");
    }
}

TYPED_TEST(CertifiedTransportTest, CopiesKnowWhatWasLost) {
    // Half-way between 1 and the next number, and a little more, that is lost even from the low part.
    constexpr TypeParam epsilon = std::numeric_limits<TypeParam>::epsilon();
    TypeParam *const output = this->own_.output.data(), *const scratch = this->own_.scratch.data();
    std::ranges::fill(this->own_.output, TypeParam{1});
    this->add(output, 2, epsilon / 2);
    this->add(output, 2, epsilon * epsilon * epsilon / 16);
    ASSERT_EQ(this->own_.transport.copy(&this->own_.transport, scratch, output, 2), 0);
    ASSERT_EQ(this->own_.transport.copy(&this->own_.transport, output + 5, scratch, 2), 0);
    const auto result = this->finish();
    EXPECT_TRUE(result[6] != 1) << "it may be the next number";
    EXPECT_TRUE(result[5] == result[0] || (std::isnan(result[5]) && std::isnan(result[0])));
}

TYPED_TEST(CertifiedTransportTest, BuffersAreAddedElementByElement) {
    // Values, partial sums, values, in more than one go.
    TypeParam *const output = this->own_.output.data(), *const scratch = this->own_.scratch.data();
    std::iota(this->own_.scratch.begin(), this->own_.scratch.end(), TypeParam{0});
    this->add(scratch + 2, this->most - 5, this->small);
    std::ranges::fill(this->own_.output, TypeParam{0});
    const std::size_t apart = 1;
    this->own_.transport.reduce(&this->own_.transport, scratch, output + apart, this->most - apart);
    const auto result = this->finish();
    for (std::size_t i = 0; i + apart < this->most; ++i) EXPECT_EQ(result[i + apart], static_cast<TypeParam>(i));
}

}  // namespace
}  // namespace coll_topo::test
