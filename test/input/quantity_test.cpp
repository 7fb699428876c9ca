// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/quantity.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <string>

namespace coll_topo {
namespace {

double bandwidth(std::string_view text) {
    const auto value = parse_bandwidth({text, nullptr});
    EXPECT_TRUE(value) << text;
    return value.value_or(-1);
}

double latency(std::string_view text) {
    const auto value = parse_latency({text, nullptr});
    EXPECT_TRUE(value) << text;
    return value.value_or(-1);
}

template <typename Value>
std::string message(const Expected<Value>& value) {
    return value ? "no error" : value.error().message;
}

TEST(Quantity, BandwidthInBytesPerSecond) {
    EXPECT_DOUBLE_EQ(7, bandwidth("7B/s"));
    EXPECT_DOUBLE_EQ(6.8e9, bandwidth("6.8GB/s"));
    EXPECT_DOUBLE_EQ(6.8e9, bandwidth("6.8GB"));
    EXPECT_DOUBLE_EQ(25e9, bandwidth("200Gbit/s"));
    EXPECT_DOUBLE_EQ(2e3, bandwidth("2kB"));
    EXPECT_DOUBLE_EQ(2048, bandwidth("2KiB"));
    EXPECT_DOUBLE_EQ(3e6, bandwidth("3MB"));
    EXPECT_DOUBLE_EQ(1048576, bandwidth("1MiB"));
    EXPECT_DOUBLE_EQ(1073741824, bandwidth("1GiB/s"));
    EXPECT_DOUBLE_EQ(1e12, bandwidth("1TB"));
    EXPECT_DOUBLE_EQ(1099511627776, bandwidth("1TiB"));
    EXPECT_DOUBLE_EQ(125, bandwidth("1kbit"));
    EXPECT_DOUBLE_EQ(125e3, bandwidth("1Mbit"));
    EXPECT_DOUBLE_EQ(125e9, bandwidth("1Tbit/s"));
}

TEST(Quantity, LatencyInSeconds) {
    EXPECT_DOUBLE_EQ(5e-7, latency("0.5us"));
    EXPECT_DOUBLE_EQ(300e-9, latency("300ns"));
    EXPECT_DOUBLE_EQ(2e-3, latency("2ms"));
    EXPECT_DOUBLE_EQ(1, latency("1s"));
    EXPECT_DOUBLE_EQ(0, latency("0us"));
}

TEST(Quantity, AValueIsTheSameInEveryUnit) {
    EXPECT_EQ(latency("1us"), latency("1000ns"));
    EXPECT_EQ(latency("0.3us"), latency("300ns"));
    EXPECT_EQ(bandwidth("12.5GB/s"), bandwidth("100Gbit/s"));
    EXPECT_EQ(bandwidth("0.1GB/s"), bandwidth("100000kB"));
    EXPECT_EQ(bandwidth("0.5GiB"), bandwidth("512MiB"));
}

TEST(Quantity, Bytes) {
    const auto bytes = [](std::string_view text) { return parse_bytes({text, nullptr}).value_or(-1); };
    EXPECT_EQ(0, bytes("0"));
    EXPECT_EQ(8, bytes("8"));
    EXPECT_EQ(8, bytes("8B"));
    EXPECT_EQ(65536, bytes("64KiB"));
    EXPECT_EQ(4'000'000, bytes("4MB"));
    EXPECT_EQ(1536, bytes("1.5KiB"));
    EXPECT_EQ(std::int64_t{1} << 40, bytes("1TiB"));
}

TEST(Quantity, SaysWhatIsWrongWithBytes) {
    const auto said = [](std::string_view text) { return message(parse_bytes({text, nullptr})); };
    EXPECT_EQ("expected a number and a unit, such as 64KiB, found 'KiB'", said("KiB"));
    EXPECT_EQ("'1.5B' is no whole number of bytes", said("1.5B"));
    EXPECT_EQ("expected a whole number for the bytes, found ''", said(""));
    EXPECT_EQ("unknown unit 'Gbit'; expected B, kB, MB, GB, TB, KiB, MiB, GiB or TiB", said("1Gbit"));
    EXPECT_EQ("number out of range in '8000000TiB'", said("8000000TiB"));
}

TEST(Quantity, SaysWhatIsWrongWithABandwidth) {
    const std::string units = "expected B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, kbit, Mbit, Gbit or Tbit";
    const auto error = [](std::string_view text) { return message(parse_bandwidth({text, nullptr})); };
    EXPECT_EQ("the unit is missing; " + units, error("25"));
    EXPECT_EQ("unknown unit 'Gb/s'; " + units, error("25Gb/s"));
    EXPECT_EQ("unknown unit '/s'; " + units, error("25/s"));
    EXPECT_EQ("unknown unit 'e9B'; " + units, error("1e9B"));
    EXPECT_EQ("unknown unit 'us'; " + units, error("1us"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found 'fast'", error("fast"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found '-1GB'", error("-1GB"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found 'infGB'", error("infGB"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found 'nanB'", error("nanB"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found ''", error(""));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found '1.2.3GB'", error("1.2.3GB"));
    EXPECT_EQ("expected a number and a unit, such as 25GB/s, found '.'", error("."));
    EXPECT_EQ("a bandwidth must be more than 0", error("0GB/s"));
    EXPECT_EQ("number out of range in '1" + std::string(59, '0') + "...'", error("1" + std::string(400, '0') + "B"));
    EXPECT_EQ("number out of range in '1" + std::string(59, '0') + "...'", error("1" + std::string(305, '0') + "TB"));
}

TEST(Quantity, SaysWhatIsWrongWithALatency) {
    const auto error = [](std::string_view text) { return message(parse_latency({text, nullptr})); };
    EXPECT_EQ("the unit is missing; expected ns, us, ms or s", error("1"));
    EXPECT_EQ("unknown unit 'us/s'; expected ns, us, ms or s", error("1us/s"));
    EXPECT_EQ("expected a number and a unit, such as 0.5us, found '-1us'", error("-1us"));
}

TEST(Quantity, IntegersWithinBounds) {
    const auto parse = [](std::string_view text) { return parse_integer({text, nullptr}, 1, 20, "Count"); };
    EXPECT_EQ(1, parse("1").value_or(-1));
    EXPECT_EQ(20, parse("20").value_or(-1));
    EXPECT_EQ(7, parse("007").value_or(-1));
    EXPECT_EQ("Count must be from 1 to 20, not '0'", message(parse("0")));
    EXPECT_EQ("Count must be from 1 to 20, not '-3'", message(parse("-3")));
    EXPECT_EQ("Count must be from 1 to 20, not '99999999999999999999'", message(parse("99999999999999999999")));
    EXPECT_EQ("expected a whole number for Count, found '1.5'", message(parse("1.5")));
    EXPECT_EQ("expected a whole number for Count, found ''", message(parse("")));
    EXPECT_EQ("expected a whole number for Count, found 'two'", message(parse("two")));
}

}  // namespace
}  // namespace coll_topo
