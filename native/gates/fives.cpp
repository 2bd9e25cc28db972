#include "fives.h"

#include <algorithm>
#include <cmath>

namespace boolearn::gates {

// How large the part is on average, as a share of most_five.
constexpr double kPartOfFive = 0.8;

SetsOfFive::SetsOfFive(std::size_t k) {
    if (k < 5) return;
    for (std::size_t b = k - 4; b > 0; --b)
        for (std::size_t c = b + 1; c < k; ++c)
            for (std::size_t d = c + 1; d < k; ++d)
                for (std::size_t e = d + 1; e < k; ++e)
                    quads.push_back({static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c),
                                     static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(e)});
    size = quads.size() * k / 5;
    blocks = round_up(size) / 8;
    places.assign(blocks * (kSigns - 1) * 8, 0);
    const auto at = [k](std::size_t a, std::size_t b, std::size_t c) { return place(k, a, b, c); };
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a)
        for (std::size_t j = 0; j < sets_of_four(k - 1 - a); ++j, ++set) {
            const std::size_t b = quads[j][0], c = quads[j][1], d = quads[j][2], e = quads[j][3];
            // Bits 0 to 3 of the coefficient's number stand for a to d; e is there when it takes that to be odd.
            const std::size_t of_set[kSigns - 1] = {e,           a,           b,           at(a, b, e), c,
                                                    at(a, c, e), at(b, c, e), at(a, b, c), d,           at(a, d, e),
                                                    at(b, d, e), at(a, b, d), at(c, d, e), at(a, c, d), at(b, c, d)};
            for (std::size_t s = 0; s + 1 < kSigns; ++s)
                places[(set / 8 * (kSigns - 1) + s) * 8 + set % 8] = static_cast<std::int32_t>(of_set[s]);
        }
}

void Fives::choose_part(const Task& task, const Gate& keep, const Columns& columns, const Triples& triples,
                        Random& random) {
    const std::size_t n = columns.size();
    const bool all = n <= static_cast<std::size_t>(task.most_five);
    part.clear();
    favour.clear();
    if (!all) {
        chance_.resize(n);
        for (std::size_t c = 0; c < n; ++c)
            chance_[c] = static_cast<double>(triples.m1[c]) * static_cast<double>(triples.m1[c]);
        spread_chances(chance_, kPartOfFive * task.most_five);
    }
    double top[5] = {};
    for (std::size_t c = 0; c < n; ++c) {
        const bool kept = keep.size() == 5 && keep.reads(columns.position[c]);
        if (!all && !kept && random.uniform() >= chance_[c]) continue;
        part.push_back(static_cast<std::int32_t>(c));
        favour.push_back(all ? columns.favour[c] : columns.favour[c] / chance_[c]);
        double least = std::log(favour.back());
        for (double& value : top)
            if (least > value) std::swap(least, value);
    }
    most_favour = top[0] + top[1] + top[2] + top[3] + top[4];
}

void Fives::set_coefficients(const Triples& triples, std::size_t columns) {
    const std::size_t k = part.size();
    coefficients_.resize(k + k * k * k);
    for (std::size_t a = 0; a < k; ++a) coefficients_[a] = 3 * triples.m1[part[a]];
    for (std::size_t a = 0; a + 2 < k; ++a)
        for (std::size_t b = a + 1; b + 1 < k; ++b) {
            const std::size_t p = static_cast<std::size_t>(part[a]), q = static_cast<std::size_t>(part[b]);
            // The pairs of later first columns come before those of q.
            const std::int32_t* m3 = &triples.m3[triples.runs[p].at + (columns - 1 - q) * (columns - 2 - q) / 2];
            for (std::size_t c = b + 1; c < k; ++c)
                coefficients_[SetsOfFive::place(k, a, b, c)] = -m3[static_cast<std::size_t>(part[c]) - q - 1];
        }
}

// Leaves 3 M5 where the transform expects the last coefficient of each set.
void Fives::count_m5(const Counting& counting, Packed& packed, std::int32_t weight) {
    const std::size_t k = part.size(), words = packed.words(), stride = round_up(sets->quads.size());
    table_.resize(words * stride);
    word_.resize(k);
    for (std::size_t w = 0; w < words; ++w) {
        const Word* all = &packed.values[w * packed.stride];
        for (std::size_t c = 0; c < k; ++c) word_[c] = all[part[c]];
        const Word* x = word_.data();
        Word* to = &table_[w * stride];
        for (std::size_t b = k - 4; b > 0; --b)
            for (std::size_t c = b + 1; c < k; ++c)
                for (std::size_t d = c + 1; d < k; ++d)
                    for (std::size_t e = d + 1; e < k; ++e) *to++ = x[b] ^ x[c] ^ x[d] ^ x[e];
    }
    m5_.resize(stride);
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a) {
        const std::size_t n = sets_of_four(k - 1 - a);
        const Word* row = packed.row(static_cast<std::size_t>(part[a]));
        counting.count(row, table_.data(), stride, packed.shift.data(), words, n, m5_.data());
        for (std::size_t j = 0; j < n; ++j, ++set) sums[place_of_sum(set, kSigns - 1)] = 3 * (weight - 2 * m5_[j]);
    }
}

void Fives::count(const Circuit& circuit, int neuron, const Columns& columns, const Triples& triples, Packed& packed,
                  std::int32_t weight, Random& random) {
    const Task& task = circuit.task();
    size = blocks = 0;
    most = 0;
    most_favour = 0;
    if (!task.five[neuron]) return;
    choose_part(task, circuit.gates()[neuron], columns, triples, random);
    const std::size_t k = part.size();
    if (k < 5) return;
    if (sets_of_.size() <= k) sets_of_.resize(k + 1);
    if (!sets_of_[k].size) sets_of_[k] = SetsOfFive(k);
    sets = &sets_of_[k];
    size = sets->size;
    blocks = sets->blocks;
    sums.resize(blocks * kSigns * 8);
    best.resize(blocks * 8);
    set_coefficients(triples, columns.size());
    count_m5(*task.counting, packed, weight);
    task.counting->transform(coefficients_.data(), sets->places.data(), blocks, sums.data(), best.data());
    most = *std::max_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(size));
    // Where the last block has no set, its numbers mean nothing, and could be too large for a table.
    for (std::size_t set = size; set < 8 * blocks; ++set)
        for (std::size_t s = 0; s < kSigns; ++s) sums[place_of_sum(set, s)] = 0;
}

Gate Fives::majority(const Columns& columns, std::size_t set, int signs) const {
    std::size_t a = 0;
    for (std::size_t n; set >= (n = sets_of_four(part.size() - 1 - a)); ++a) set -= n;
    const auto& quad = sets->quads[set];
    return columns.majority({part[a], part[quad[0]], part[quad[1]], part[quad[2]], part[quad[3]]}, signs);
}

}  // namespace boolearn::gates
