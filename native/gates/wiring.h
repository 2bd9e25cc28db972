// The network as the sampler sees it, and the gates its neurons can be.
#pragma once

#include <cstdint>
#include <vector>

namespace boolearn::gates {

using Word = std::uint64_t;

// Nodes are numbered as in Python's Network: 0 is the constant −1, then the inputs, then the neurons in
// topological order, of which the last n_outputs are the outputs.
struct Wiring {
    int n_inputs = 0, n_outputs = 0;
    std::vector<std::int64_t> start;  // where each neuron's edges begin; one entry more than neurons
    std::vector<std::int32_t> sender;

    int n_neurons() const { return static_cast<int>(start.size()) - 1; }
    int first_neuron() const { return 1 + n_inputs; }
    int n_nodes() const { return first_neuron() + n_neurons(); }
    int first_output() const { return n_nodes() - n_outputs; }
    int fan_in(int neuron) const { return static_cast<int>(start[neuron + 1] - start[neuron]); }
    const std::int32_t* senders(int neuron) const { return sender.data() + start[neuron]; }
};

// The kinds share the prior's weight; within a kind all gates of a neuron weigh the same.
enum Kind { kConstant, kCopy, kAndOr, kMaj, kMaj5, kKinds };

// A signed copy (one input) or a signed majority of three or, for neurons that may be one, of five. Constants are
// copies of node 0, And and Or are majorities with node 0 among the three. Minus a majority is the majority of the
// negated inputs, so signs of the inputs are all there is.
constexpr int kMostInputs = 5;

struct Gate {
    std::int32_t inputs[kMostInputs] = {0, -1, -1, -1, -1};  // positions among the neuron's senders, rising; −1: unused
    std::int8_t signs[kMostInputs] = {1, 1, 1, 1, 1};

    int size() const { return inputs[1] < 0 ? 1 : inputs[3] < 0 ? 3 : 5; }
    bool operator==(const Gate& other) const {
        for (int k = 0; k < size(); ++k)
            if (inputs[k] != other.inputs[k] || signs[k] != other.signs[k]) return false;
        return size() == other.size();
    }
};

inline Word majority_of_five(Word a, Word b, Word c, Word d, Word e) {
    // Two full adders: a + b + c = 2 twos + ones, ones + d + e = 2 more + rest.
    const Word ones = a ^ b ^ c, twos = (a & b) | (c & (a | b));
    const Word rest = ones ^ d ^ e, more = (ones & d) | (e & (ones | d));
    return (twos & more) | (rest & (twos | more));
}

}  // namespace boolearn::gates
