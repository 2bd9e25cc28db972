#include "bit_weights.h"

#include <algorithm>

namespace boolearn::gates {

void BitWeights::raise_wrong(const Word* values, int most) {
    const std::size_t size = outputs() * task_.words;
    if (!planes_) write_ones();
    while ((1 << planes_) <= most) ++planes_;
    bits_.resize(static_cast<std::size_t>(planes_) * size);
    for (std::size_t j = 0; j < size; ++j) {
        Word full = 0, equal = ~Word(0);  // the weight is above `most`, or equals it, in the planes seen so far
        for (int k = planes_ - 1; k >= 0; --k) {
            const Word plane = bits_[k * size + j];
            if (most >> k & 1) {
                equal &= plane;
            } else {
                full |= equal & plane;
                equal &= ~plane;
            }
        }
        full |= equal;
        Word carry = (values[j] ^ task_.targets[j]) & task_.counted[j] & ~full;
        for (int k = 0; k < planes_ && carry; ++k) {
            Word& plane = bits_[k * size + j];
            const Word next = plane & carry;
            plane ^= carry;
            carry = next;
        }
    }
}

void BitWeights::ease() {
    const std::size_t size = outputs() * task_.words;
    for (std::size_t j = 0; planes_ && j < size; ++j) {
        Word borrow = 0;  // the weights above 1
        for (int k = 1; k < planes_; ++k) borrow |= bits_[k * size + j];
        for (int k = 0; k < planes_ && borrow; ++k) {
            Word& plane = bits_[k * size + j];
            plane ^= borrow;
            borrow &= plane;
        }
    }
}

void BitWeights::clear() {
    planes_ = 0;
    bits_.clear();
    if (task_.any_open) write_ones();
}

void BitWeights::write_ones() {
    planes_ = 1;
    bits_ = task_.counted;
}

std::vector<std::uint8_t> BitWeights::list() const {
    const std::size_t items = static_cast<std::size_t>(task_.items);
    std::vector<std::uint8_t> weights(outputs() * items, planes_ ? 0 : 1);
    if (task_.any_open)
        for (std::size_t o = 0; o < outputs(); ++o)
            for (std::size_t i = 0; i < items; ++i)
                if (!(task_.counted[o * task_.words + i / 64] >> (i % 64) & 1)) weights[o * items + i] = 1;
    for (int k = 0; k < planes_; ++k)
        for (std::size_t o = 0; o < outputs(); ++o)
            for (std::size_t i = 0; i < items; ++i)
                weights[o * items + i] |=
                    static_cast<std::uint8_t>((plane(k, static_cast<int>(o))[i / 64] >> (i % 64) & 1) << k);
    return weights;
}

void BitWeights::set(const std::uint8_t* weights) {
    const std::size_t words = task_.words, items = static_cast<std::size_t>(task_.items);
    const std::uint8_t most = *std::max_element(weights, weights + outputs() * items);
    planes_ = 0;
    while ((1 << planes_) <= most) ++planes_;
    bits_.assign(static_cast<std::size_t>(planes_) * outputs() * words, 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(planes_); ++k)
        for (std::size_t o = 0; o < outputs(); ++o)
            for (std::size_t i = 0; i < items; ++i)
                bits_[(k * outputs() + o) * words + i / 64] |= Word(weights[o * items + i] >> k & 1) << (i % 64);
    for (std::size_t j = 0; j < bits_.size(); ++j) bits_[j] &= task_.counted[j % (outputs() * words)];
}

}  // namespace boolearn::gates
