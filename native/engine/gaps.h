// How far apart the projections to A and B are, and how the metric follows.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel.h"
#include "network.h"

namespace boolearn {

// Root mean squares: over neurons, and of w, x and y by themselves.
struct Gaps {
    double all, w, x, y;
    // Before the first iteration.
    static Gaps unknown() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {inf, inf, inf, inf};
    }
};

inline Gaps gaps_of(const Tally& t, double items, const Network& net) {
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

}  // namespace boolearn
