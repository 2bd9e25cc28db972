// Set B at the weights (Elser & Lal, "Divide-and-concur for BTF networks"): every item, and every edge
// tied to a weight, agrees on the average weighted with the metric, and each row is rescaled to |w|^2 = m. Before that
// its support may be bounded, which is not in the paper.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernel.h"
#include "memory.h"
#include "network.h"
#include "support.h"

namespace boolearn {

// What set B and the gaps need of all items: for each weight the sum of g w_R, then the tally, then the number of
// items. One array of doubles, so that engines that hold different items only have to add theirs.
class Sums {
  public:
    explicit Sums(std::int64_t weights) : values(weights + kTail) {}
    Array<double> values;

    double* weights() { return values.data(); }
    Tally tally() const {
        const double* t = values.data() + values.size() - kTail;
        return {t[0], t[1], t[2], t[3]};
    }
    double items() const { return values[values.size() - 1]; }
    void set_tail(const Tally& t, double items) {
        const double numbers[kTail] = {t.edges2, t.cross, t.neurons2, t.inputs2, items};
        std::copy_n(numbers, kTail, values.data() + values.size() - kTail);
    }
    void clear() { std::fill_n(values.data(), values.size(), 0.0); }

  private:
    static constexpr int kTail = 5;
};

// The weights of one row class from the sums over items. The average's denominator, the sum of the metric,
// is the same for the whole row and drops out in the rescaling; a row of zeros stays zero.
template <class Real>
void normalise_row(const Network& net, const Network::RowClass& row, double support, const double* sums,
                   double* weights, Real* w_bar) {
    double norm2 = 0;
    for (std::int64_t k = row.first; k < row.last; ++k) {
        // Per edge of the row, and its square once for each of these edges.
        weights[k] = sums[k] * net.share[k];
        norm2 += sums[k] * weights[k];
    }
    if (support < row.fan_in) {
        narrow(weights + row.first, net.share.data() + row.first, row.last - row.first, support);
        norm2 = 0;
        for (std::int64_t k = row.first; k < row.last; ++k) norm2 += weights[k] * weights[k] / net.share[k];
    }
    const double scale = norm2 > 0 ? std::sqrt(row.fan_in / norm2) : 0;
    for (std::int64_t k = row.first; k < row.last; ++k) weights[k] *= scale;
    for (std::int32_t neuron : row.neurons)
        for (std::int64_t e = net.start[neuron]; e < net.start[neuron + 1]; ++e)
            w_bar[e] = static_cast<Real>(weights[net.weight[e]]);
}

}  // namespace boolearn
