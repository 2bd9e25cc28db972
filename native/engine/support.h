// The bound on a neuron's support in set B: |w|_1^2 <= s |w|_2^2, over the edges of a row.
//
// n equal weights and zeros have the ratio n, so s is a number of inputs. Of all weights of a given norm that keep the
// bound, the nearest to v have v's signs and the magnitudes max(|v| - t, 0), rescaled; t is the least with which they
// do. With k magnitudes above t, of mean a and variance c, t = a - sqrt(s c / (k - s)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace boolearn {

// Lessens the magnitudes of n weights, each of which stands for 1 / share edges, as far as the bound asks for.
inline void narrow(double* weights, const double* share, std::int64_t n, double support) {
    double t = 0, kept = 0;
    for (;;) {
        // Those that are kept get fewer from round to round, and t larger, until it is the one of those that are kept.
        double k = 0, sum = 0, variance = 0;
        for (std::int64_t i = 0; i < n; ++i)
            if (const double size = std::fabs(weights[i]); size > t) k += 1 / share[i], sum += size / share[i];
        const double mean = sum / k;
        for (std::int64_t i = 0; i < n; ++i)
            if (const double size = std::fabs(weights[i]); size > t)
                variance += (size - mean) * (size - mean) / (share[i] * k);
        if (k <= support || k == kept) break;
        if (kept == 0 && k * mean * mean <= support * (variance + mean * mean)) return;
        kept = k;
        const double next = mean - std::sqrt(support * variance / (k - support));
        if (!(next > t)) break;
        t = next;
    }
    double largest = 0;
    for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(weights[i]));
    // What would be left of magnitudes that are equal is rounding: they stay, and all others go.
    constexpr double equal = 1e-9;
    const bool all_equal = largest - t <= equal * largest;
    for (std::int64_t i = 0; i < n; ++i) {
        const double size = std::fabs(weights[i]);
        if (all_equal)
            weights[i] = size >= (1 - equal) * largest ? weights[i] : 0;
        else
            weights[i] = std::copysign(std::max(size - t, 0.0), weights[i]);
    }
}

}  // namespace boolearn
