// Set B at the weights (Elser & Lal, "Divide-and-concur for BTF networks"): every item, and every edge
// tied to a weight, agrees on the average weighted with the metric, and each row is rescaled to |w|^2 = m.
#pragma once

#include <cmath>
#include <limits>

#include "layout.h"
#include "memory.h"
#include "network.h"

namespace boolearn {

// For each weight the sum of g w_R over items; then the tally, then the items.
class Sums {
  public:
    static constexpr int kTail = 5;
    explicit Sums(std::int64_t weights = 0) : values(weights + kTail) {}
    Array<double> values;

    double* weights() { return values.data(); }
    double* tail() { return values.data() + values.size() - kTail; }
    Tally tally() const {
        const double* t = values.data() + values.size() - kTail;
        return {t[0], t[1], t[2], t[3]};
    }
    double items() const { return values[values.size() - 1]; }
    void set_tail(const Tally& t, double items) {
        const double numbers[kTail] = {t.edges2, t.cross, t.neurons2, t.inputs2, items};
        std::copy_n(numbers, kTail, tail());
    }
};

struct Gaps {
    double all, w, x, y;
    // Before the first iteration.
    static Gaps unknown() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {inf, inf, inf, inf};
    }
};

inline Gaps gaps(const Tally& t, double items, const Network& net) {
    const auto rms = [](double sum, double count) { return std::sqrt(std::max(sum, 0.0) / count); };
    return {rms(t.edges2 + t.neurons2, items * net.neurons), rms(0.5 * (t.edges2 + t.cross), items * net.edges()),
            rms(0.5 * (t.edges2 - t.cross), items * net.edges()), rms(t.neurons2 + t.inputs2, items * net.nodes)};
}

// How the metric will be relaxed, g <- keep g + pull gap^2; at a solution (no gap) it stays.
struct Relaxation {
    double keep = 1, pull = 0;
};

inline Relaxation relax_metric(const Gaps& gap, double gamma) {
    if (!(gap.all > 0)) return {};
    return {1 - gamma, gamma / (gap.all * gap.all)};
}

// The weights of one row class from the sums over items. The average's denominator, the sum of the metric,
// is the same for the whole row and drops out in the rescaling; a row of zeros stays zero.
template <class Real>
void concur_weights(const Network& net, const Network::RowClass& row, const double* sums, double* weights,
                    Real* w_bar) {
    double norm2 = 0;
    for (std::int64_t k = row.first; k < row.last; ++k) {
        // Per edge of the row, and its square once for each of these edges.
        weights[k] = sums[k] * net.share[k];
        norm2 += sums[k] * weights[k];
    }
    const double scale = norm2 > 0 ? std::sqrt(row.fan_in / norm2) : 0;
    for (std::int64_t k = row.first; k < row.last; ++k) weights[k] *= scale;
    for (std::int32_t neuron : row.neurons)
        for (std::int64_t e = net.start[neuron]; e < net.start[neuron + 1]; ++e)
            w_bar[e] = static_cast<Real>(weights[net.weight[e]]);
}

}  // namespace boolearn
