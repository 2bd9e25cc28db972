// The random start. A value is a function of a key and a counter, not of a stream: any engine, thread or
// process makes the same start for its items (the finaliser is that of SplitMix64).
#pragma once

#include <cstdint>

namespace boolearn {

// Uniform in [-1, 1).
inline double random_start(std::uint64_t key, std::uint64_t counter) {
    std::uint64_t z = key + (counter + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return 2.0 * (static_cast<double>(z >> 11) * 0x1p-53) - 1.0;
}

}  // namespace boolearn
