#include "triples.h"

#include <algorithm>
#include <cstdlib>

namespace boolearn::gates {

void Triples::list_pairs(std::size_t n) {
    const std::size_t wanted = n < 3 ? 0 : n - 2;
    if (runs.size() == wanted) return;
    first.clear();
    second.clear();
    for (std::size_t q = wanted; q > 0; --q)
        for (std::size_t r = q + 1; r < n; ++r) {
            first.push_back(static_cast<std::int32_t>(q));
            second.push_back(static_cast<std::int32_t>(r));
        }
    runs.clear();
    std::size_t at = 0;
    for (std::size_t p = 0; p + 2 < n; ++p) {
        const std::size_t pairs = (n - 1 - p) * (n - 2 - p) / 2;
        runs.push_back({at, pairs, 0});
        at += round_up(pairs);
    }
    m3.resize(at);
    best.resize(at);
}

void Triples::count(const Counting& counting, Packed& packed, std::size_t n, std::int32_t weight) {
    const std::size_t stride = packed.stride, words = packed.words();
    m1.resize(stride);
    counting.count(packed.sign.data(), packed.values.data(), stride, packed.shift.data(), words, n, m1.data());
    most = 0;
    for (std::size_t c = 0; c < n; ++c) {
        m1[c] = weight - 2 * m1[c];
        most = std::max(most, 2 * std::abs(m1[c]));
    }
    list_pairs(n);
    const std::size_t pairs = first.size(), columns = round_up(pairs);
    same.resize(columns);
    other.resize(columns);
    for (std::size_t c = 0; c < pairs; ++c) {
        const std::int32_t q = m1[first[c]], r = m1[second[c]];
        same[c] = std::abs(q + r);
        other[c] = std::abs(q - r);
    }
    table_.resize(words * columns);
    for (std::size_t w = 0; w < words; ++w) {
        const Word* from = &packed.values[w * stride];
        Word* to = &table_[w * columns];
        for (std::size_t q = n < 3 ? 0 : n - 2; q > 0; --q)
            for (std::size_t r = q + 1; r < n; ++r) *to++ = from[q] ^ from[r];
    }
    for (std::size_t p = 0; p < runs.size(); ++p) {
        Run& run = runs[p];
        counting.count(packed.row(p), table_.data(), columns, packed.shift.data(), words, run.pairs, &m3[run.at]);
        run.most = counting.score(m1[p], same.data(), other.data(), weight, run.pairs, &m3[run.at], &best[run.at]);
        most = std::max(most, run.most);
    }
}

}  // namespace boolearn::gates
