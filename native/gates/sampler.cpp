#include "sampler.h"

#include <numeric>

namespace boolearn::gates {

Sampler::Sampler(std::shared_ptr<const Task> task, std::uint64_t seed, std::uint64_t stream)
    : random(seed, stream), circuit(std::move(task), random), prior(this->task()), scan_(this->task()),
      draw_(this->task()), order_(static_cast<std::size_t>(this->task().wiring.n_neurons())) {}

void Sampler::visit(int neuron, double temperature) {
    scan_.scan(circuit, prior, neuron, random);
    draw_.weigh(scan_, prior, temperature);
    circuit.change(neuron, draw_.pick(scan_, random), scan_.flip);
}

void Sampler::sweep(double temperature, bool until_right) {
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.below(k)]);
    for (int neuron : order_) {
        if ((until_right && circuit.errors() == 0) || stop.load(std::memory_order_relaxed)) return;
        visit(neuron, temperature);
    }
}

void Sampler::learn_prior(double belief) {
    prior.learn_shares(circuit, random, belief);
    prior.learn_idle(circuit, random);
}

std::vector<std::pair<Gate, std::int64_t>> Sampler::candidates(int neuron) {
    scan_.scan(circuit, prior, neuron, random);
    return scan_.list();
}

}  // namespace boolearn::gates
