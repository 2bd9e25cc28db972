// The candidates of one neuron: all gates it could be, given every other neuron, and the sums 2 Σ v·gate that give
// their errors. What they weigh at a temperature, and which is drawn, is in draw.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.h"
#include "field.h"
#include "fives.h"
#include "packed.h"
#include "triples.h"
#include "xors.h"

namespace boolearn::gates {

struct Scan {
    explicit Scan(const Task& task) : flip(task), field(task) {}

    void scan(const Circuit& circuit, const Prior& prior, int neuron, Random& random);

    std::int32_t most() const { return std::max({triples.most, fives.most, xors.most}); }
    double most_favour() const { return std::max({columns.most_favour, fives.most_favour, xors.most_favour}); }
    std::int64_t errors_of(std::int32_t sum) const { return (2 * field.twice_mean - sum) / 4; }
    // Every candidate with its errors.
    std::vector<std::pair<Gate, std::int64_t>> list() const;

    int neuron = -1;
    Flip flip;
    Field field;
    Columns columns;
    Packed packed;
    Triples triples;
    Fives fives;
    Xors xors;
};

}  // namespace boolearn::gates
