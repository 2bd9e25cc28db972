// Heat-bath sampling in the space of circuits: one neuron at a time draws its gate from all gates it could
// be, given every other neuron, with probability ∝ prior(gate) · exp(−errors / T).
//
// A visit of a neuron has four parts: the circuit as it is (circuit.h) is scanned for the neuron's candidates and their
// errors (scan.h), these are weighed with the prior (prior.h) and one is drawn (draw.h), which the circuit takes over.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "circuit.h"
#include "draw.h"
#include "prior.h"
#include "random.h"
#include "scan.h"

namespace boolearn::gates {

class Sampler {
  public:
    Sampler(std::shared_ptr<const Task> task, std::uint64_t seed, std::uint64_t stream);

    // One visit of every neuron, in random order. Ends early when `stop` is set or, on request, when no error is left.
    void sweep(double temperature, bool until_right = false);
    void visit(int neuron, double temperature);
    // Samples the shares and the idle costs of the prior, given the circuit.
    void learn_prior(double belief);

    // Every candidate of a neuron with its errors: for tests.
    std::vector<std::pair<Gate, std::int64_t>> candidates(int neuron);

    const Task& task() const { return circuit.task(); }

    Random random;
    Circuit circuit;
    Prior prior;
    std::atomic<bool> stop{false};

  private:
    Scan scan_;
    Draw draw_;
    std::vector<int> order_;
};

}  // namespace boolearn::gates
