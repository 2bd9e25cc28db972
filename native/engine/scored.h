// How many answers on a few items are right, for one set of weights after another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "forward.h"
#include "network.h"

namespace boolearn {

class ScoredItems {
  public:
    // inputs: [item][input], empty when they come with every question. labels: the class of each item, empty when
    // the answers are bits; targets: [item][output], 0 where open.
    ScoredItems(Network net, std::int64_t items, std::vector<double> inputs, std::vector<signed char> targets,
                std::vector<std::int64_t> labels)
        : net_(std::move(net)), items_(items), inputs_(std::move(inputs)), targets_(std::move(targets)),
          labels_(std::move(labels)) {}

    const Network& network() const { return net_; }
    std::int64_t items() const { return items_; }
    bool asks_for_inputs() const { return inputs_.empty(); }

    // Weights in the caller's order. Several threads may ask at the same time.
    std::int64_t right(const double* weights, const std::vector<double>& given) const {
        const std::vector<double>& inputs = asks_for_inputs() ? given : inputs_;
        std::vector<double> inner;
        for (std::int32_t outer : net_.outer) inner.push_back(weights[outer]);
        ForwardPass pass(net_, kTogether);
        std::int64_t count = 0;
        for (std::int64_t first = 0; first < items_; first += kTogether) {
            const int some = static_cast<int>(std::min<std::int64_t>(kTogether, items_ - first));
            pass.run(inner.data(), inputs.data() + first * net_.inputs, some);
            count += labels_.empty() ? right_bits(pass, first, some) : right_classes(pass, first, some);
        }
        return count;
    }

  private:
    static constexpr int kTogether = 16;

    std::int64_t right_bits(const ForwardPass& pass, std::int64_t first, int some) const {
        std::int64_t count = 0;
        for (int k = 0; k < net_.outputs; ++k) {
            const double* y = pass.y(net_.nodes - net_.outputs + k);
            for (int i = 0; i < some; ++i) count += y[i] == targets_[(first + i) * net_.outputs + k];
        }
        return count;
    }

    // The class of the largest sum, the first of equals.
    std::int64_t right_classes(const ForwardPass& pass, std::int64_t first, int some) const {
        std::int64_t count = 0;
        for (int i = 0; i < some; ++i) {
            int best = 0;
            for (int k = 1; k < net_.outputs; ++k)
                if (pass.sum(k)[i] > pass.sum(best)[i]) best = k;
            count += best == labels_[first + i];
        }
        return count;
    }

    const Network net_;
    const std::int64_t items_;
    const std::vector<double> inputs_;
    const std::vector<signed char> targets_;
    const std::vector<std::int64_t> labels_;
};

}  // namespace boolearn
