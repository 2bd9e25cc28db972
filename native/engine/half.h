// Half precision as a way to keep numbers: 16 bits in memory, single precision wherever something is computed.
#pragma once

#include <cstdint>
#include <cstring>

namespace boolearn {

// Rounds to the nearest, ties to even, as the instructions for it do; these are for the few numbers that pass
// one by one, and for processors without such instructions.
struct Half {
    std::uint16_t bits = 0;

    Half() = default;
    explicit Half(float value) {
        std::uint32_t v;
        std::memcpy(&v, &value, sizeof v);
        const std::uint32_t sign = v >> 16 & 0x8000u, magnitude = v & 0x7FFFFFFFu;
        if (magnitude > 0x7F800000u) {  // NaN stays one
            bits = static_cast<std::uint16_t>(sign | 0x7E00u);
        } else if (magnitude >= 0x477FF000u) {  // rounds to more than the largest, 65504
            bits = static_cast<std::uint16_t>(sign | 0x7C00u);
        } else if (magnitude <
                   0x38800000u) {  // below the least normal one: added to 1/2, the sum's last bits count its multiples
            float sum;
            std::memcpy(&sum, &magnitude, sizeof sum);
            sum += 0.5f;
            std::uint32_t as_bits;
            std::memcpy(&as_bits, &sum, sizeof as_bits);
            bits = static_cast<std::uint16_t>(sign | (as_bits - 0x3F000000u));
        } else {
            const std::uint32_t odd = magnitude >> 13 & 1u;
            bits = static_cast<std::uint16_t>(sign | (magnitude - 0x38000000u + 0xFFFu + odd) >> 13);
        }
    }
    operator float() const {
        const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
        float value;
        if (magnitude < 0x400u) {
            value = static_cast<float>(magnitude) * 0x1p-24f;
        } else {
            const std::uint32_t v =
                magnitude >= 0x7C00u ? 0x7F800000u | (magnitude & 0x3FFu) << 13 : (magnitude << 13) + 0x38000000u;
            std::memcpy(&value, &v, sizeof value);
        }
        std::uint32_t v;
        std::memcpy(&v, &value, sizeof v);
        v |= sign;
        std::memcpy(&value, &v, sizeof value);
        return value;
    }
};

}  // namespace boolearn
