// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue and digests, as the component sees them.
#include "test/engine/engine_fixture.hpp"

#include <gtest/gtest.h>

namespace coll_topo::test {
namespace {

TEST(Engine, ListsTheCatalogue) {
    for (int collective = 0; collective < COLL_TOPO_SERVED; ++collective) {
        int serving = 0;
        for (int row = 0; row < coll_topo_algorithms(); ++row) serving += coll_topo_algorithm_serves(row, collective);
        EXPECT_GT(serving, 0) << coll_topo_collective_name(collective);
    }
    EXPECT_STREQ(coll_topo_collective_name(COLL_TOPO_REDUCE_SCATTER_BLOCK), "reduce_scatter_block");
    EXPECT_STREQ(coll_topo_collective_name(COLL_TOPO_ALLTOALLW), "alltoallw");
}

TEST(Engine, DigestsTellSequencesApart) {
    const auto texts = [](const char* first, const char* second) {
        return coll_topo_digest_text(coll_topo_digest_text(1, first), second);
    };
    EXPECT_NE(texts("ab", "c"), texts("a", "bc"));
    EXPECT_EQ(texts("", "c"), texts(nullptr, "c"));
    EXPECT_NE(coll_topo_digest_number(1, 2), coll_topo_digest_number(1, 3));
    EXPECT_NE(coll_topo_digest_number(1, 2), coll_topo_digest_number(2, 2));
}

}  // namespace
}  // namespace coll_topo::test
