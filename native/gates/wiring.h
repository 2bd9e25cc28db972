// Which nodes each neuron can read.
#pragma once

#include <cstdint>
#include <vector>

namespace boolearn::gates {

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

}  // namespace boolearn::gates
