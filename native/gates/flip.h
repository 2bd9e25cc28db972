// What every node holds when one neuron holds the opposite: one pass through the nodes above it.
#pragma once

#include <vector>

#include "circuit.h"

namespace boolearn::gates {

class Flip {
  public:
    explicit Flip(const Task& task);

    void compute(const Circuit& circuit, int neuron);

    int neuron() const { return neuron_; }
    // The nodes that then hold something else, in rising order: the neuron itself, and some above it.
    const std::vector<int>& changed() const { return changed_; }
    const Word* value(int changed_node) const { return &values_[static_cast<std::size_t>(changed_node) * words_]; }

  private:
    std::size_t words_;
    int neuron_ = -1;
    std::vector<Word> values_;   // [node][word], of changed nodes only
    std::vector<char> changes_;  // [node]
    std::vector<int> changed_;
};

}  // namespace boolearn::gates
