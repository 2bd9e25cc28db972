// The bound on a neuron's support in set B: |w|_1^2 <= s |w|_2^2, over the edges of a row.
//
// n equal weights and zeros have the ratio n, so s is a number of inputs. Of all weights of a given norm that keep the
// bound, the nearest to v have v's signs and the magnitudes max(|v| - t, 0), rescaled; t is the least with which they
// do. With k magnitudes above t, of mean a and variance c, t = a - sqrt(s c / (k - s)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace boolearn {

// Lessens the magnitudes of n weights, each of which stands for 1 / share edges, as far as the bound asks for.
inline void narrow(double* weights, const double* share, std::int64_t n, double support) {
    thread_local std::vector<double> sizes, shares;  // of the weights that are kept
    sizes.clear();
    shares.clear();
    for (std::int64_t i = 0; i < n; ++i)
        if (weights[i] != 0) sizes.push_back(std::fabs(weights[i])), shares.push_back(share[i]);
    double t = 0;
    for (bool first = true;; first = false) {
        // They get fewer from round to round, and t larger, until it is the one of those that are kept.
        const std::size_t count = sizes.size();
        double k = 0, sum = 0, variance = 0;
        for (std::size_t i = 0; i < count; ++i) k += 1 / shares[i], sum += sizes[i] / shares[i];
        if (k <= support) break;
        const double mean = sum / k;
        for (std::size_t i = 0; i < count; ++i) variance += (sizes[i] - mean) * (sizes[i] - mean) / (shares[i] * k);
        if (first && k * mean * mean <= support * (variance + mean * mean)) return;
        const double next = mean - std::sqrt(support * variance / (k - support));
        if (!(next > t)) break;
        t = next;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (sizes[i] > t) sizes[kept] = sizes[i], shares[kept++] = shares[i];
        if (kept == count) break;
        sizes.resize(kept);
        shares.resize(kept);
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
