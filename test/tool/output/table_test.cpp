// SPDX-License-Identifier: BSD-3-Clause
#include "coll_topo/tool/output/table.hpp"

#include "coll_topo/tool/output/units.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace coll_topo::tool {
namespace {

using Json = nlohmann::ordered_json;

Table sample() {
    Table table({{"name", "name"}, {"seconds", "time"}});
    table.add({"a", Cell(1.5e-6, "1.5 us")});
    table.add({"b, \"c\"", Cell(JsonValue(), "-")});
    return table;
}

TEST(Table, TextIsAligned) {
    std::ostringstream out;
    sample().write_text(out);
    EXPECT_EQ(
        "name      time\n"
        "a       1.5 us\n"
        "b, \"c\"       -\n",
        out.str());
}

TEST(Table, CsvQuotesWhatItMust) {
    std::ostringstream out;
    sample().write_csv(out);
    EXPECT_EQ("name,seconds\na,1.5e-06\n\"b, \"\"c\"\"\",\n", out.str());
}

TEST(Table, JsonHasTypesAndNull) {
    std::ostringstream out;
    {
        JsonWriter json(out);
        json.member("version", 1);
        sample().write_json(json, "rows");
    }
    const Json document = Json::parse(out.str());
    EXPECT_EQ(1, document["version"]);
    EXPECT_EQ(2u, document["rows"].size());
    EXPECT_EQ(1.5e-6, document["rows"][0]["seconds"]);
    EXPECT_TRUE(document["rows"][1]["seconds"].is_null());
}

TEST(Table, ARecordHasItsTitlesOnTheLeft) {
    Table table({{"a", "first"}, {"b", "the second"}});
    table.add({1, "two"});
    std::ostringstream text, json_text;
    table.write_record(text);
    EXPECT_EQ("first       1\nthe second  two\n", text.str());
    {
        JsonWriter json(json_text);
        table.write_json_record(json);
    }
    EXPECT_EQ(Json({{"a", 1}, {"b", "two"}}), Json::parse(json_text.str()));
}

TEST(Units, ThreeDigitsAndAUnit) {
    EXPECT_EQ("12.5 GB/s", bandwidth_text(12.5e9));
    EXPECT_EQ("1 MB/s", bandwidth_text(999999));
    EXPECT_EQ("not known", bandwidth_text(0));
}

}  // namespace
}  // namespace coll_topo::tool
