// The gates a neuron can be, and what they compute, 64 items a word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boolearn::gates {

using Word = std::uint64_t;

// The kinds share the prior's weight; within a kind all gates of a neuron weigh the same.
enum Kind { kConstant, kCopy, kAndOr, kMaj, kMaj5, kXor, kKinds };

// A signed copy (one input) or a signed majority of three or, for neurons that may be one, of five. Constants are
// copies of node 0, And and Or are majorities with node 0 among the three. Minus a majority is the majority of the
// negated inputs, so signs of the inputs are all there is. Two inputs are an exclusive or, where these are allowed; its
// second input has the sign 1, the first that of the whole.
constexpr int kMostInputs = 5;

struct Gate {
    std::int32_t inputs[kMostInputs] = {0, -1, -1, -1, -1};  // positions among the neuron's senders, rising; −1: unused
    std::int8_t signs[kMostInputs] = {1, 1, 1, 1, 1};

    int size() const { return inputs[1] < 0 ? 1 : inputs[2] < 0 ? 2 : inputs[3] < 0 ? 3 : 5; }
    bool reads(std::int32_t position) const {
        for (int k = 0; k < size(); ++k)
            if (inputs[k] == position) return true;
        return false;
    }
    bool operator==(const Gate& other) const {
        for (int k = 0; k < size(); ++k)
            if (inputs[k] != other.inputs[k] || signs[k] != other.signs[k]) return false;
        return size() == other.size();
    }
};

Kind kind_of(const Gate& gate, const std::int32_t* senders);

// Writes what the gate makes of its inputs, each of `words` words, to `to`, zero outside the mask. Returns the bits in
// which some word differs from `now`, which may be `to`.
Word evaluate_gate(const Gate& gate, const Word* const* inputs, const Word* mask, std::size_t words, const Word* now,
                   Word* to);

}  // namespace boolearn::gates
