// The network: a directed acyclic graph of neurons, edges sorted by their receiver, and which edges
// share a weight.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel.h"

namespace boolearn {

class Network {
  public:
    // Throws std::invalid_argument when the arrays do not describe a network.
    Network(int nodes, int inputs, int outputs, std::vector<std::int64_t> start, std::vector<std::int32_t> sender,
            std::vector<std::int32_t> tie, std::int64_t weights);

    // Neurons that share weights share whole rows: a row class is one weight vector and the neurons that
    // use it. Its weights have consecutive numbers inside the engine.
    struct RowClass {
        std::int64_t first, last;  // its weights
        int fan_in;
        std::vector<std::int32_t> neurons;
    };

    int nodes, inputs, outputs, neurons;
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> sender;
    std::vector<std::int32_t> weight;  // [edge] engine's number of its weight
    std::vector<double> share;         // [weight] 1 / edges of one row that carry it: nearly always 1
    std::vector<std::int32_t> outer;   // [weight] the caller's number of it
    std::vector<RowClass> rows;
    std::int64_t outer_weights;
    int largest_fan_in = 0;

    std::int64_t edges() const { return start.back(); }
    std::int64_t weights() const { return static_cast<std::int64_t>(outer.size()); }
    NetworkView view(InputMode mode) const;

  private:
    void group_rows(const std::vector<std::int32_t>& tie);
    void group_senders();
    void find_runs();

    std::vector<std::int32_t> audience_, receiver_, run_;
    std::vector<std::int64_t> run_start_;
    std::vector<std::int64_t> audience_start_;
};

}  // namespace boolearn
