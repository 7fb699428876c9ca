// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/input/hostlist.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <tuple>
#include <vector>

namespace coll_topo {
namespace {

std::vector<std::string> names_of(std::string_view list) {
    std::vector<std::string> names;
    const auto done = for_each_name({list, nullptr}, [&](std::string_view name, const Located&) -> Expected<void> {
        names.emplace_back(name);
        return {};
    });
    if (!done) return {"error: " + done.error().text()};
    return names;
}

using Names = std::vector<std::string>;

TEST(Hostlist, GivesNamesInOrder) {
    EXPECT_EQ((Names{"a"}), names_of("a"));
    EXPECT_EQ((Names{"b", "a"}), names_of("b,a"));
    EXPECT_EQ((Names{"n1", "n2", "n3", "n7"}), names_of("n[1-3,7]"));
    EXPECT_EQ((Names{"n3", "x", "m1", "m2"}), names_of("n[3],x,m[1-2]"));
    EXPECT_EQ((Names{"1", "2"}), names_of("[1-2]"));
}

TEST(Hostlist, KeepsLeadingZeros) {
    EXPECT_EQ((Names{"n008", "n009", "n010", "n020"}), names_of("n[008-010,020]"));
    EXPECT_EQ((Names{"n8", "n9", "n10"}), names_of("n[8-10]"));
    EXPECT_EQ((Names{"n98", "n99", "n100"}), names_of("n[98-100]"));
    EXPECT_EQ((Names{"n1", "n01"}), names_of("n[1,01]"));
}

TEST(Hostlist, TakesSeveralBracketsWithTheLastFastest) {
    EXPECT_EQ((Names{"r1n01", "r1n02", "r2n01", "r2n02"}), names_of("r[1-2]n[01-02]"));
    EXPECT_EQ((Names{"a1b2.c", "a1b3.c"}), names_of("a[1]b[2-3].c"));
    EXPECT_EQ((Names{"12", "13"}), names_of("[1][2-3]"));
}

TEST(Hostlist, KeepsCoordinatesTogetherWhereNamesHaveThem) {
    Names names;
    const auto visit = [&](std::string_view name, const Located&) -> Expected<void> {
        names.emplace_back(name);
        return {};
    };
    ASSERT_TRUE(for_each_name({"P(0),P(0,1),x,L([0-1],2)", nullptr}, visit, NameForm::with_coordinates));
    EXPECT_EQ((Names{"P(0)", "P(0,1)", "x", "L(0,2)", "L(1,2)"}), names);
}

TEST(Hostlist, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "expected a name, found nothing between the commas"},
        {"a,", "expected a name, found nothing between the commas"},
        {"a,,b", "expected a name, found nothing between the commas"},
        {"n[1-3", "'[' without ']'"},
        {"n[1,a", "'[' without ']'"},
        {"n1-3]", "']' without '['"},
        {"n[1[2]]", "'[' inside brackets"},
        {"n[]", "expected a number in the brackets, found ''"},
        {"n[1,]", "expected a number in the brackets, found ''"},
        {"n[a]", "expected a number in the brackets, found 'a'"},
        {"n[1-2-3]", "expected a number in the brackets, found '2-3'"},
        {"n[-1]", "expected a number in the brackets, found ''"},
        {"n[3-1]", "range '3-1' runs backwards"},
        {"n[0-9999999999999999999]", "number with more than 18 digits in the brackets"},
        {"n[0-999999999999999999]", "more than 1048576 names in a list"},
        {"n[1-1000]m[1-1000]k[1-1000]", "more than 1048576 names in a list"},
        {"n[0-999999],m[0-999999]", "more than 1048576 names in a list"},
        {"a=b", "character '=' in a name; expected letters, digits, '-', '_', '.' or ':'"},
        {"n[1]/x", "character '/' in a name; expected letters, digits, '-', '_', '.' or ':'"},
    };
    for (const auto& [list, message] : cases) {
        EXPECT_EQ((Names{std::string("error: ") + message}), names_of(list)) << list;
    }
}

TEST(Hostlist, RefusesNamesNoHostCanHave) {
    EXPECT_EQ((Names{std::string(255, 'a')}), names_of(std::string(255, 'a')));
    EXPECT_EQ((Names{"error: name of more than 255 characters"}), names_of(std::string(256, 'a')));
    std::string brackets;
    for (int count = 0; count < 100000; ++count) brackets += "[1]";
    EXPECT_EQ((Names{"error: name of more than 255 characters"}), names_of(brackets));
}

TEST(Hostlist, StopsAtTheFirstFailureOfTheVisitor) {
    int visits = 0;
    const auto done = for_each_name({"a,b,c", nullptr}, [&](std::string_view name, const Located&) -> Expected<void> {
        ++visits;
        if (name == "b") return failure("enough");
        return {};
    });
    ASSERT_FALSE(done);
    EXPECT_EQ("enough", done.error().message);
    EXPECT_EQ(2, visits);
}

TEST(Hostlist, CheckNameRefusesLists) {
    EXPECT_TRUE(check_name({"n-1_a.b:c", nullptr}));
    EXPECT_FALSE(check_name({"n[1-2]", nullptr}));
    EXPECT_FALSE(check_name({"a,b", nullptr}));
    EXPECT_FALSE(check_name({std::string(256, 'a'), nullptr}));
}

TEST(Hostlist, NeverCrashesOnListsOfItsOwnCharacters) {
    const bool passed = rc::check("any text is a list or an error", [] {
        const auto list = *rc::gen::container<std::string>(rc::gen::element('n', '[', ']', ',', '-', '0', '1', '9'));
        int names = 0;
        const auto done =
            for_each_name({list, nullptr}, [&](std::string_view name, const Located& item) -> Expected<void> {
                RC_ASSERT(!name.empty());
                RC_ASSERT(!item.text.empty());
                return ++names < 100 ? Expected<void>() : failure("enough");
            });
        RC_ASSERT((done ? names > 0 : !done.error().message.empty()));
    });
    EXPECT_TRUE(passed);
}

TEST(Hostlist, RangesGiveEveryNumberOnce) {
    const bool passed = rc::check("n[a-b] is na .. nb", [] {
        const int first = *rc::gen::inRange(0, 2000);
        const int last = first + *rc::gen::inRange(0, 500);
        const Names names = names_of("n[" + std::to_string(first) + "-" + std::to_string(last) + "]");
        RC_ASSERT(static_cast<int>(names.size()) == last - first + 1);
        for (int number = first; number <= last; ++number) {
            RC_ASSERT(names[number - first] == "n" + std::to_string(number));
        }
    });
    EXPECT_TRUE(passed);
}

TEST(Hostlist, IsWrittenWithRanges) {
    EXPECT_EQ(hostlist_text({}), "");
    EXPECT_EQ(hostlist_text({"a"}), "a");
    EXPECT_EQ(hostlist_text({"n7"}), "n7");
    EXPECT_EQ(hostlist_text({"n00", "n01", "n02", "n05", "x", "y1", "y2"}), "n[00-02,05],x,y[1-2]");
    EXPECT_EQ(hostlist_text({"n9", "n10", "n11"}), "n[9-11]");
    EXPECT_EQ(hostlist_text({"n09", "n10", "n011"}), "n[09-10,011]");
    EXPECT_EQ(hostlist_text({"n2", "n1", "n1"}), "n[2,1,1]");
    EXPECT_EQ(hostlist_text({"n", "n1", "n"}), "n,n1,n");
}

TEST(Hostlist, IsReadAsWritten) {
    rc::check("the names come back in their order", [] {
        const auto names = *rc::gen::container<Names>(rc::gen::map(
            rc::gen::tuple(rc::gen::element<std::string>("a", "b2c", ""), rc::gen::inRange(0, 12),
                           rc::gen::element(0, 1, 2, 3)),
            [](const std::tuple<std::string, int, int>& name) {
                const auto& [stem, number, width] = name;
                const std::string digits = std::to_string(number);
                return stem + std::string(std::max<std::size_t>(width, digits.size()) - digits.size(), '0') + digits;
            }));
        RC_PRE(!names.empty());
        RC_ASSERT(names_of(hostlist_text(names)) == names);
    });
}

}  // namespace
}  // namespace coll_topo
