// SPDX-License-Identifier: BSD-3-Clause
#include "test/reduction/sum_trial.hpp"

#include "test/reduction/oracle.hpp"

#include <algorithm>
#include <utility>

namespace coll_topo::test {

template <class Value>
std::vector<Value> SumTrial<Value>::operands_of(std::size_t element) const {
    std::vector<Value> values;
    for (const std::vector<Value>& rank : operands) values.push_back(rank[element]);
    return values;
}

template <class Value>
SumTrial<Value> draw_trial(std::span<const Distribution> distributions, std::size_t most_ranks, std::size_t most_count,
                           Random& random) {
    const std::size_t count = draw_count(most_count, random), about = draw_count(most_ranks, random);
    SumTrial<Value> trial;
    std::vector<std::vector<Value>> columns;
    const bool one_distribution = random() % 2 == 0;
    for (std::size_t element = 0; element < count; ++element) {
        trial.distributions.push_back(one_distribution && element != 0
                                          ? trial.distributions.front()
                                          : distributions[random() % distributions.size()]);
        columns.push_back(draw<Value>(trial.distributions.back(), about, random));
        trial.sums.push_back(exact_sum<Value>(columns.back()));
    }
    std::size_t ranks = 0;
    for (const auto& column : columns) ranks = std::max(ranks, column.size());
    trial.operands.resize(ranks, std::vector<Value>(count));
    for (std::size_t element = 0; element < count; ++element) {
        columns[element].resize(ranks, -Value{0});
        std::shuffle(columns[element].begin(), columns[element].end(), random);
        for (std::size_t rank = 0; rank < ranks; ++rank) trial.operands[rank][element] = columns[element][rank];
    }
    return trial;
}

template struct SumTrial<float>;
template struct SumTrial<double>;
template struct SumTrial<long double>;
template SumTrial<float> draw_trial(std::span<const Distribution>, std::size_t, std::size_t, Random&);
template SumTrial<double> draw_trial(std::span<const Distribution>, std::size_t, std::size_t, Random&);
template SumTrial<long double> draw_trial(std::span<const Distribution>, std::size_t, std::size_t, Random&);

Bytes merge_at_random(std::vector<Bytes> parts, const std::function<void(const Bytes&, Bytes&)>& combine,
                      Random& random) {
    while (parts.size() > 1) {
        std::swap(parts.back(), parts[random() % parts.size()]);
        const Bytes source = std::move(parts.back());
        parts.pop_back();
        combine(source, parts[random() % parts.size()]);
    }
    return std::move(parts.front());
}

}  // namespace coll_topo::test
