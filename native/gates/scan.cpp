#include "scan.h"

namespace boolearn::gates {

void Scan::scan(const Circuit& circuit, const Prior& prior, int of, Random& random) {
    neuron = of;
    flip.compute(circuit, neuron);
    field.compute(circuit, flip);
    columns.choose(circuit, field, neuron, random);
    columns.favour_unread(circuit, prior, neuron);
    packed.pack(circuit, field, neuron, columns.position);
    triples.count(*circuit.task().counting, packed, columns.size(), field.weight);
    fives.count(circuit, neuron, columns, triples, packed, field.weight, random);
    xors.count(circuit, prior, field, neuron, columns, packed, random);
}

std::vector<std::pair<Gate, std::int64_t>> Scan::list() const {
    std::vector<std::pair<Gate, std::int64_t>> all;
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (int sign : {1, -1}) all.emplace_back(columns.copy(c, sign), errors_of(2 * sign * triples.m1[c]));
    for (std::size_t p = 0; p < triples.runs.size(); ++p)
        for (std::size_t c = 0; c < triples.runs[p].pairs; ++c)
            for (int signs = 0; signs < 8; ++signs) {
                const Gate gate =
                    columns.majority({static_cast<std::int32_t>(p), triples.first[c], triples.second[c]}, signs);
                all.emplace_back(gate, errors_of(triples.sum(p, c, signs)));
            }
    for (std::size_t set = 0; set < fives.size; ++set)
        for (int signs = 0; signs < static_cast<int>(kSigns); ++signs) {
            const std::int32_t sum = fives.sum(set, static_cast<std::size_t>(signs));
            all.emplace_back(fives.majority(columns, set, signs), errors_of(sum));
            all.emplace_back(fives.majority(columns, set, 2 * static_cast<int>(kSigns) - 1 - signs), errors_of(-sum));
        }
    for (std::size_t p = 0; p < xors.runs(); ++p)
        for (std::size_t q = p + 1; q < xors.position.size(); ++q)
            for (int sign : {1, -1}) all.emplace_back(xors.gate(p, q, sign), errors_of(xors.sum(p, q, sign)));
    return all;
}

}  // namespace boolearn::gates
