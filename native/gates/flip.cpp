#include "flip.h"

namespace boolearn::gates {

Flip::Flip(const Task& task)
    : words_(task.words), values_(static_cast<std::size_t>(task.wiring.n_nodes()) * task.words),
      changes_(static_cast<std::size_t>(task.wiring.n_nodes())) {}

void Flip::compute(const Circuit& circuit, int neuron) {
    const Task& task = circuit.task();
    const Wiring& wiring = task.wiring;
    const Word* mask = task.mask.data();
    neuron_ = neuron;
    for (int node : changed_) changes_[node] = 0;
    changed_.clear();
    const int first = wiring.first_neuron() + neuron;
    for (std::size_t w = 0; w < words_; ++w) values_[first * words_ + w] = circuit.value(first)[w] ^ mask[w];
    changes_[first] = 1;
    changed_.push_back(first);
    for (int node = first + 1; node < wiring.n_nodes(); ++node) {
        const int k = node - wiring.first_neuron();
        const Gate& gate = circuit.gates()[k];
        const std::int32_t* senders = wiring.senders(k);
        const Word* inputs[kMostInputs];
        bool reads = false;
        for (int j = 0; j < gate.size(); ++j) {
            const int from = senders[gate.inputs[j]];
            reads |= changes_[from] != 0;
            inputs[j] = changes_[from] ? value(from) : circuit.value(from);
        }
        if (!reads) continue;
        if (evaluate_gate(gate, inputs, mask, words_, circuit.value(node), &values_[node * words_])) {
            changes_[node] = 1;
            changed_.push_back(node);
        }
    }
}

}  // namespace boolearn::gates
