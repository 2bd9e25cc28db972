#include "gate.h"

namespace boolearn::gates {

Kind kind_of(const Gate& gate, const std::int32_t* senders) {
    if (gate.size() == 1) return senders[gate.inputs[0]] == 0 ? kConstant : kCopy;
    if (gate.size() == 2) return kXor;
    if (gate.size() == 5) return kMaj5;
    for (int k = 0; k < 3; ++k)
        if (senders[gate.inputs[k]] == 0) return kAndOr;
    return kMaj;
}

static Word majority(Word a, Word b, Word c) { return (a & b) | (c & (a | b)); }

static Word majority(Word a, Word b, Word c, Word d, Word e) {
    // Two full adders: a + b + c = 2 twos + ones, ones + d + e = 2 more + rest.
    const Word ones = a ^ b ^ c, twos = majority(a, b, c);
    const Word rest = ones ^ d ^ e, more = majority(ones, d, e);
    return majority(twos, more, rest);
}

template <class Value> static Word write(const Word* mask, std::size_t words, const Word* now, Word* to, Value value) {
    Word change = 0;
    for (std::size_t w = 0; w < words; ++w) {
        const Word next = value(w) & mask[w];
        change |= next ^ now[w];
        to[w] = next;
    }
    return change;
}

Word evaluate_gate(const Gate& gate, const Word* const* inputs, const Word* mask, std::size_t words, const Word* now,
                   Word* to) {
    Word flip[kMostInputs];
    for (int k = 0; k < kMostInputs; ++k) flip[k] = gate.signs[k] > 0 ? 0 : ~Word(0);
    const Word* a = inputs[0];
    if (gate.size() == 1) return write(mask, words, now, to, [=](std::size_t w) { return a[w] ^ flip[0]; });
    const Word* b = inputs[1];
    if (gate.size() == 2)
        return write(mask, words, now, to, [=](std::size_t w) { return a[w] ^ b[w] ^ flip[0] ^ flip[1]; });
    const Word* c = inputs[2];
    if (gate.size() == 3)
        return write(mask, words, now, to,
                     [=](std::size_t w) { return majority(a[w] ^ flip[0], b[w] ^ flip[1], c[w] ^ flip[2]); });
    const Word *d = inputs[3], *e = inputs[4];
    return write(mask, words, now, to, [=](std::size_t w) {
        return majority(a[w] ^ flip[0], b[w] ^ flip[1], c[w] ^ flip[2], d[w] ^ flip[3], e[w] ^ flip[4]);
    });
}

}  // namespace boolearn::gates
