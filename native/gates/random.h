// Random numbers that are the same on every machine: xoshiro256++ (Blackman and Vigna), its state filled
// by SplitMix64. The state is four words, which a checkpoint can hold.
#pragma once

#include <cmath>
#include <cstdint>

namespace boolearn::gates {

class Random {
  public:
    explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0) {
        std::uint64_t z = seed ^ (stream + 1) * 0xD1342543DE82EF95u;
        for (auto& word : state) {
            z += 0x9E3779B97F4A7C15u;
            std::uint64_t mixed = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
            word = mixed ^ (mixed >> 31);
        }
    }

    std::uint64_t bits() {
        const std::uint64_t result = rotate(state[0] + state[3], 23) + state[0];
        const std::uint64_t shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = rotate(state[3], 45);
        return result;
    }

    // In [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    // From 0 to n − 1; the bias of the multiplication is below n / 2^64.
    std::uint64_t below(std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * n) >> 64);
    }

    // Gamma-distributed with a shape of at least 1 (Marsaglia and Tsang).
    double gamma(double shape) {
        const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double x = normal(), t = 1 + c * x, v = t * t * t;
            if (v > 0 && std::log(1 - uniform()) < 0.5 * x * x + d * (1 - v + std::log(v))) return d * v;
        }
    }

    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }

    std::uint64_t state[4];

  private:
    static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
};

}  // namespace boolearn::gates
