#include "field.h"

#include <algorithm>

namespace boolearn::gates {

// Adds 64 bits to 64 counters, whose bits lie in planes one after the other.
static void add(Word* counters, Word carry) {
    for (; carry; ++counters) {
        const Word next = *counters & carry;
        *counters ^= carry;
        carry = next;
    }
}

void Field::compute(const Circuit& circuit, const Flip& flip) {
    const Wiring& wiring = task_.wiring;
    const BitWeights& weights = circuit.weights();
    const std::size_t words = task_.words;
    const Word* c = circuit.value(wiring.first_neuron() + flip.neuron());
    const std::vector<int>& changed = flip.changed();
    outputs_.clear();
    for (std::size_t j = changed.size(); j > 0 && changed[j - 1] >= wiring.first_output(); --j) {
        const int node = changed[j - 1], output = node - wiring.first_output();
        outputs_.push_back({circuit.value(node), flip.value(node), &task_.targets[output * words],
                            weights.planes() ? weights.plane(0, output) : nullptr});
    }
    const int weight_planes = std::max(weights.planes(), 1);
    const std::size_t heaviest = (std::size_t(1) << weight_planes) - 1, between_planes = wiring.n_outputs * words;
    planes = 0;
    while (!outputs_.empty() && (std::size_t(1) << planes) <= outputs_.size() * heaviest) ++planes;
    magnitude.assign(static_cast<std::size_t>(planes) * words, 0);
    for (std::size_t w = 0; w < words; ++w) {
        Word any = 0;
        for (const ChangedOutput& output : outputs_) any |= output.now[w] ^ output.flipped[w];
        if (!any) {
            positive[w] = ~Word(0);
            continue;
        }
        Word plus[kMaxPlanes], minus[kMaxPlanes];
        std::fill_n(plus, planes, 0);
        std::fill_n(minus, planes, 0);
        for (const ChangedOutput& output : outputs_) {
            const Word now = output.now[w], change = now ^ output.flipped[w], wrong = now ^ output.target[w];
            const Word is_positive = c[w] ^ wrong;  // right now while holding +1, or wrong now while holding −1
            for (int k = 0; k < weight_planes; ++k) {
                const Word some = output.weights ? change & output.weights[k * between_planes + w] : change;
                add(plus + k, some & is_positive);
                add(minus + k, some & ~is_positive);
            }
        }
        Word borrow = 0;
        for (int k = 0; k < planes; ++k) {
            const Word a = plus[k], b = minus[k];
            plus[k] = a ^ b ^ borrow;
            borrow = (~a & (b | borrow)) | (b & borrow);
        }
        positive[w] = ~borrow;
        Word carry = borrow;  // two's complement where negative
        for (int k = 0; k < planes; ++k) {
            const Word bit = plus[k] ^ borrow;
            magnitude[k * words + w] = bit ^ carry;
            carry &= bit;
        }
    }
    weight = 0;
    for (int k = 0; k < planes; ++k) weight += static_cast<std::int32_t>(task_.counting->bits(plane(k), words) << k);
    // Σ v c is what there would be more in errors if every item flipped.
    twice_mean = 2 * circuit.weighted_errors() + m1_of(c);
}

std::int64_t Field::m1_of(const Word* values) const {
    if (!planes) return 0;  // no output depends on the neuron
    return weight - 2 * task_.counting->differ_weighted(values, positive.data(), magnitude.data(), planes, task_.words);
}

}  // namespace boolearn::gates
