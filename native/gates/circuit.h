// The state of a sampler: one gate per neuron, and all that follows from the gates.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bit_weights.h"
#include "random.h"
#include "task.h"

namespace boolearn::gates {

class Flip;

class Circuit {
  public:
    // Everything begins as a random copy: information reaches every layer from the start.
    Circuit(std::shared_ptr<const Task> task, Random& random);

    // Throws std::invalid_argument when they are no gates of these neurons.
    void set_gates(const std::vector<Gate>& gates);
    // Makes one neuron another gate; `flip` is of this neuron and of the circuit as it is.
    void change(int neuron, const Gate& gate, const Flip& flip);

    const Task& task() const { return *task_; }
    const std::vector<Gate>& gates() const { return gates_; }
    const std::vector<Kind>& kinds() const { return kinds_; }
    int count(Kind kind) const;
    const Word* value(int node) const { return &values_[static_cast<std::size_t>(node) * task_->words]; }
    // How many gates read a node. Readable are those that are neither the constant nor an output, and that some neuron
    // receives.
    int readers(int node) const { return readers_[node]; }
    bool readable(int node) const { return readable_[node] != 0; }

    // Wrong output bits over all items.
    std::int64_t errors() const { return errors_; }
    // Σ of the weights of the wrong bits: what takes the place of the errors in exp(−errors / T) when bits
    // have been given weights. Without weights it is the same number.
    std::int64_t weighted_errors() const { return weighted_errors_; }
    const BitWeights& weights() const { return weights_; }
    void weigh_wrong_bits(int most);
    void ease_weights();
    void clear_weights();
    void set_weights(const std::uint8_t* weights);

  private:
    void point_to_inputs(int neuron, const Gate& gate, const Word** inputs) const;
    void count_readers();
    void count_errors();

    std::shared_ptr<const Task> task_;
    std::vector<Gate> gates_;
    std::vector<Kind> kinds_;
    std::vector<int> readers_;    // [node]
    std::vector<char> readable_;  // [node]
    std::vector<Word> values_;    // [node][word]
    std::vector<Word> changes_;   // [word] scratch of change()
    BitWeights weights_;
    std::int64_t errors_ = 0, weighted_errors_ = 0;
};

}  // namespace boolearn::gates
