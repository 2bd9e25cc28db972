// A forward pass with the weights all items agree on, for the items of a group at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network.h"

namespace boolearn {

class ForwardPass {
  public:
    ForwardPass(const Network& net, int lanes)
        : net_(net), lanes_(lanes), y_(std::size_t(net.nodes) * lanes), sums_(std::size_t(net.outputs) * lanes),
          hidden_sum_(lanes) {}

    // inputs: [item][input]; at most a group of items. In double whatever the engine's precision, and zero
    // counts as -1, so that the signs are those the finished network predicts.
    void run(const double* weights, const double* inputs, int items) {
        std::fill_n(y_.data(), lanes_, -1.0);
        for (int k = 0; k < net_.inputs; ++k)
            for (int i = 0; i < items; ++i)
                y_[std::size_t(1 + k) * lanes_ + i] = inputs[std::int64_t(i) * net_.inputs + k];
        for (int q = 0; q < net_.neurons; ++q) {
            const int output = q - (net_.neurons - net_.outputs);
            double* sum = output < 0 ? hidden_sum_.data() : sums_.data() + std::size_t(output) * lanes_;
            std::fill_n(sum, lanes_, 0.0);
            for (std::int64_t e = net_.start[q]; e < net_.start[q + 1]; ++e) {
                const double w = weights[net_.weight[e]];
                const double* x = y(net_.sender[e]);
                for (int i = 0; i < lanes_; ++i) sum[i] += w * x[i];
            }
            double* to = y_.data() + std::size_t(1 + net_.inputs + q) * lanes_;
            for (int i = 0; i < lanes_; ++i) to[i] = sum[i] > 0 ? 1 : -1;
        }
    }

    // What a node holds, item by item.
    const double* y(int node) const { return y_.data() + std::size_t(node) * lanes_; }
    // w.x of an output, item by item.
    const double* sum(int output) const { return sums_.data() + std::size_t(output) * lanes_; }

  private:
    const Network& net_;
    const int lanes_;
    std::vector<double> y_, sums_, hidden_sum_;
};

}  // namespace boolearn
