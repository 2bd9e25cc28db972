#include "circuit.h"

#include <algorithm>
#include <stdexcept>

#include "flip.h"

namespace boolearn::gates {

Circuit::Circuit(std::shared_ptr<const Task> task, Random& random) : task_(std::move(task)), weights_(*task_) {
    const Wiring& wiring = task_->wiring;
    const std::size_t nodes = static_cast<std::size_t>(wiring.n_nodes());
    values_.assign(nodes * task_->words, 0);
    changes_.resize(task_->words);
    readable_.assign(nodes, 0);
    for (std::int32_t node : wiring.sender) readable_[node] = node > 0 && node < wiring.first_output();
    std::copy(task_->inputs.begin(), task_->inputs.end(), values_.begin() + static_cast<std::ptrdiff_t>(task_->words));
    std::vector<Gate> start(static_cast<std::size_t>(wiring.n_neurons()));
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const int m = wiring.fan_in(k);
        const auto any = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(m))); };
        int at = any();
        if (m > 1)
            while (wiring.senders(k)[at] == 0) at = any();
        start[k].inputs[0] = at;
        start[k].signs[0] = random.bits() >> 63 ? 1 : -1;
    }
    set_gates(start);
}

int Circuit::count(Kind kind) const { return static_cast<int>(std::count(kinds_.begin(), kinds_.end(), kind)); }

static void check_gates(const Task& task, const std::vector<Gate>& gates) {
    const Wiring& wiring = task.wiring;
    if (gates.size() != static_cast<std::size_t>(wiring.n_neurons()))
        throw std::invalid_argument("one gate per neuron is needed");
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const Gate& gate = gates[k];
        for (int j = 0; j < gate.size(); ++j) {
            const bool rising = j == 0 || gate.inputs[j] > gate.inputs[j - 1];
            if (gate.inputs[j] < 0 || gate.inputs[j] >= wiring.fan_in(k) || !rising ||
                (gate.signs[j] != 1 && gate.signs[j] != -1))
                throw std::invalid_argument(
                    "a gate's inputs must be rising positions among its senders, its signs -1 or 1");
        }
        if (gate.size() == 2) {
            if (!task.xors) throw std::invalid_argument("a gate has one input or three");
            const std::int32_t* senders = wiring.senders(k);
            if (senders[gate.inputs[0]] == 0 || senders[gate.inputs[1]] == 0 || gate.signs[1] != 1)
                throw std::invalid_argument(
                    "an exclusive or must not read the constant, and the sign of its second input must be 1");
        }
        if (gate.size() == 5 && !task.five[k])
            throw std::invalid_argument("a neuron that may not be a majority of five must not be one");
    }
}

void Circuit::point_to_inputs(int neuron, const Gate& gate, const Word** inputs) const {
    const std::int32_t* senders = task_->wiring.senders(neuron);
    for (int k = 0; k < gate.size(); ++k) inputs[k] = value(senders[gate.inputs[k]]);
}

void Circuit::set_gates(const std::vector<Gate>& gates) {
    check_gates(*task_, gates);
    const Wiring& wiring = task_->wiring;
    gates_ = gates;
    kinds_.resize(gates.size());
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        kinds_[k] = kind_of(gates_[k], wiring.senders(k));
        const Word* inputs[kMostInputs];
        point_to_inputs(k, gates_[k], inputs);
        Word* to = &values_[static_cast<std::size_t>(wiring.first_neuron() + k) * task_->words];
        evaluate_gate(gates_[k], inputs, task_->mask.data(), task_->words, to, to);
    }
    count_readers();
    count_errors();
}

// Where the neuron's value changes, the nodes above take what they hold when it is flipped.
void Circuit::change(int neuron, const Gate& gate, const Flip& flip) {
    if (gate == gates_[neuron]) return;
    const std::size_t words = task_->words;
    const Word* now = value(task_->wiring.first_neuron() + neuron);
    const Word* inputs[kMostInputs];
    point_to_inputs(neuron, gate, inputs);
    const bool any = evaluate_gate(gate, inputs, task_->mask.data(), words, now, changes_.data()) != 0;
    if (any) {
        for (std::size_t w = 0; w < words; ++w) changes_[w] ^= now[w];
        for (int node : flip.changed()) {
            Word* of_node = &values_[static_cast<std::size_t>(node) * words];
            const Word* flipped = flip.value(node);
            for (std::size_t w = 0; w < words; ++w) of_node[w] ^= (of_node[w] ^ flipped[w]) & changes_[w];
        }
    }
    const std::int32_t* senders = task_->wiring.senders(neuron);
    for (int k = 0; k < gates_[neuron].size(); ++k) --readers_[senders[gates_[neuron].inputs[k]]];
    for (int k = 0; k < gate.size(); ++k) ++readers_[senders[gate.inputs[k]]];
    gates_[neuron] = gate;
    kinds_[neuron] = kind_of(gate, senders);
    if (any) count_errors();
}

void Circuit::count_readers() {
    const Wiring& wiring = task_->wiring;
    readers_.assign(static_cast<std::size_t>(wiring.n_nodes()), 0);
    for (int k = 0; k < wiring.n_neurons(); ++k)
        for (int j = 0; j < gates_[k].size(); ++j) ++readers_[wiring.senders(k)[gates_[k].inputs[j]]];
}

void Circuit::count_errors() {
    const std::size_t words = task_->words;
    errors_ = weighted_errors_ = 0;
    for (int o = 0; o < task_->wiring.n_outputs; ++o) {
        const Word *is = value(task_->wiring.first_output() + o), *wanted = &task_->targets[o * words];
        const std::int64_t wrong = task_->counting->differ(is, wanted, &task_->counted[o * words], words);
        errors_ += wrong;
        for (int k = 0; wrong && k < weights_.planes(); ++k)
            weighted_errors_ += task_->counting->differ(is, wanted, weights_.plane(k, o), words) << k;
    }
    if (!weights_.planes()) weighted_errors_ = errors_;
}

void Circuit::weigh_wrong_bits(int most) {
    weights_.raise_wrong(value(task_->wiring.first_output()), most);
    count_errors();
}

void Circuit::ease_weights() {
    weights_.ease();
    count_errors();
}

void Circuit::clear_weights() {
    weights_.clear();
    count_errors();
}

void Circuit::set_weights(const std::uint8_t* weights) {
    weights_.set(weights);
    count_errors();
}

}  // namespace boolearn::gates
