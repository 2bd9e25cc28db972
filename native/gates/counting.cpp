// Compiled once for each instruction set, with BOOLEARN_KERNELS naming the table of functions.
#include "counting.h"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace boolearn::gates {
namespace {

using Word = std::uint64_t;

inline int ones(Word x) {
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcountll(x);
#else
    // Counts of pairs, nibbles, bytes: there is no instruction for it in every x86-64 processor.
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return static_cast<int>((x * 0x0101010101010101u) >> 56);
#endif
}

std::int64_t bits(const Word* mask, std::size_t words) {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < words; ++w) sum += ones(mask[w]);
    return sum;
}

std::int64_t differ(const Word* a, const Word* b, const Word* mask, std::size_t words) {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < words; ++w) sum += ones((a[w] ^ b[w]) & mask[w]);
    return sum;
}

// From the highest plane down, so that doubling on the way gives each plane its weight.
inline std::int64_t differ_weighted_from(std::size_t w, const Word* a, const Word* b, const Word* planes, int n_planes,
                                         std::size_t words) {
    std::int64_t sum = 0;
    for (; w < words; ++w) {
        const Word differ = a[w] ^ b[w];
        std::int64_t of_word = 0;
        for (int k = n_planes - 1; k >= 0; --k)
            of_word = 2 * of_word + ones(differ & planes[static_cast<std::size_t>(k) * words + w]);
        sum += of_word;
    }
    return sum;
}

#if defined(__AVX512VPOPCNTDQ__)

std::int64_t differ_weighted(const Word* a, const Word* b, const Word* planes, int n_planes, std::size_t words) {
    __m512i sum = _mm512_setzero_si512();
    std::size_t w = 0;
    for (; w + 8 <= words; w += 8) {
        const __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(a + w), _mm512_loadu_si512(b + w));
        __m512i of_words = _mm512_setzero_si512();
        for (int k = n_planes - 1; k >= 0; --k) {
            const __m512i plane = _mm512_loadu_si512(planes + static_cast<std::size_t>(k) * words + w);
            of_words = _mm512_add_epi64(_mm512_add_epi64(of_words, of_words),
                                        _mm512_popcnt_epi64(_mm512_and_si512(differ, plane)));
        }
        sum = _mm512_add_epi64(sum, of_words);
    }
    alignas(64) std::int64_t lanes[8];
    _mm512_store_si512(lanes, sum);
    std::int64_t total = differ_weighted_from(w, a, b, planes, n_planes, words);
    for (std::int64_t lane : lanes) total += lane;
    return total;
}

#else

std::int64_t differ_weighted(const Word* a, const Word* b, const Word* planes, int n_planes, std::size_t words) {
    return differ_weighted_from(0, a, b, planes, n_planes, words);
}

#endif

#if defined(__BMI2__)

std::size_t pack(const Word* values, const Word* mask, std::size_t words, Word* to, std::size_t stride,
                 std::size_t filled) {
    for (std::size_t w = 0; w < words; ++w) {
        if (!mask[w]) continue;
        const Word bits = _pext_u64(values[w], mask[w]);
        const std::size_t at = filled >> 6, offset = filled & 63;
        to[at * stride] |= bits << offset;
        const std::size_t count = static_cast<std::size_t>(ones(mask[w]));
        if (offset + count > 64) to[(at + 1) * stride] |= bits >> (64 - offset);
        filled += count;
    }
    return filled;
}

#else

std::size_t pack(const Word* values, const Word* mask, std::size_t words, Word* to, std::size_t stride,
                 std::size_t filled) {
    for (std::size_t w = 0; w < words; ++w) {
        if (!mask[w]) continue;
        to[(filled >> 6) * stride] = values[w] & mask[w];
        filled += 64;
    }
    return filled;
}

#endif

#if defined(__AVX512VPOPCNTDQ__)

void count(const Word* row, const Word* table, std::size_t stride, const std::uint8_t* shift, std::size_t words,
           std::size_t columns, std::int32_t* total) {
    for (std::size_t c = 0; c < columns; c += 8) {
        __m512i sum = _mm512_setzero_si512();
        for (std::size_t w = 0; w < words; ++w) {
            const __m512i differ = _mm512_xor_si512(_mm512_set1_epi64(static_cast<long long>(row[w])),
                                                    _mm512_loadu_si512(table + w * stride + c));
            sum = _mm512_add_epi64(sum, _mm512_sll_epi64(_mm512_popcnt_epi64(differ), _mm_cvtsi32_si128(shift[w])));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(total + c), _mm512_cvtepi64_epi32(sum));
    }
}

#elif defined(__AVX2__)

// Counts of nibbles are looked up and added as bytes. A word adds at most 8 << plane to a byte: seven words of
// three neighbouring planes fit, and are one block.
constexpr std::size_t kBlock = 7;

__m256i nibbles(int plane) {
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1,
                                            2, 2, 3, 2, 3, 3, 4);
    return _mm256_sll_epi16(counts, _mm_cvtsi32_si128(plane));
}

template <std::size_t kWords>
void count_block(const Word* row, const Word* table, std::size_t stride, const __m256i* lookup, int plane,
                 std::size_t columns, std::int32_t* total, bool add) {
    const __m256i low = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    const __m128i shift = _mm_cvtsi32_si128(plane);
    for (std::size_t c = 0; c < columns; c += 8) {
        __m256i half[2] = {zero, zero};
#pragma GCC unroll 7
        for (std::size_t w = 0; w < kWords; ++w) {
            const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(row[w]));
#pragma GCC unroll 2
            for (int h = 0; h < 2; ++h) {
                const __m256i differ = _mm256_xor_si256(
                    bits, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table + w * stride + c + 4 * h)));
                const __m256i lower = _mm256_shuffle_epi8(lookup[w], _mm256_and_si256(differ, low));
                const __m256i upper =
                    _mm256_shuffle_epi8(lookup[w], _mm256_and_si256(_mm256_srli_epi16(differ, 4), low));
                half[h] = _mm256_add_epi8(half[h], _mm256_add_epi8(lower, upper));
            }
        }
        const __m256i first = _mm256_sad_epu8(half[0], zero), second = _mm256_sad_epu8(half[1], zero);
        const __m256i mixed = _mm256_castps_si256(
            _mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), _MM_SHUFFLE(2, 0, 2, 0)));
        __m256i sum = _mm256_sll_epi32(_mm256_permute4x64_epi64(mixed, _MM_SHUFFLE(3, 1, 2, 0)), shift);
        __m256i* to = reinterpret_cast<__m256i*>(total + c);
        if (add) sum = _mm256_add_epi32(sum, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sum);
    }
}

void count(const Word* row, const Word* table, std::size_t stride, const std::uint8_t* shift, std::size_t words,
           std::size_t columns, std::int32_t* total) {
    if (!words)
        for (std::size_t c = 0; c < columns; ++c) total[c] = 0;
    using Block =
        void (*)(const Word*, const Word*, std::size_t, const __m256i*, int, std::size_t, std::int32_t*, bool);
    static constexpr Block blocks[kBlock + 1] = {nullptr,         &count_block<1>, &count_block<2>, &count_block<3>,
                                                 &count_block<4>, &count_block<5>, &count_block<6>, &count_block<7>};
    for (std::size_t w = 0; w < words;) {
        __m256i lookup[kBlock];
        std::size_t n = 0;
        for (; n < kBlock && w + n < words && shift[w + n] <= shift[w] + 2; ++n)
            lookup[n] = nibbles(shift[w + n] - shift[w]);
        blocks[n](row + w, table + w * stride, stride, lookup, shift[w], columns, total, w > 0);
        w += n;
    }
}

#else

void count(const Word* row, const Word* table, std::size_t stride, const std::uint8_t* shift, std::size_t words,
           std::size_t columns, std::int32_t* total) {
    for (std::size_t c = 0; c < columns; ++c) total[c] = 0;
    for (std::size_t w = 0; w < words; ++w)
        for (std::size_t c = 0; c < columns; ++c) total[c] += ones(row[w] ^ table[w * stride + c]) << shift[w];
}

#endif

inline std::int32_t absolute(std::int32_t x) { return x < 0 ? -x : x; }

std::int32_t score(std::int32_t m_p, const std::int32_t* same, const std::int32_t* other, std::int32_t weight,
                   std::size_t columns, std::int32_t* total, std::int32_t* best) {
    std::int32_t most = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        const std::int32_t m3 = weight - 2 * total[c];
        total[c] = m3;
        const std::int32_t with = same[c] + absolute(m_p - m3), against = other[c] + absolute(m_p + m3);
        best[c] = with > against ? with : against;
        most = best[c] > most ? best[c] : most;
    }
    return most;
}

typedef std::uint32_t Eight __attribute__((vector_size(32)));
typedef std::int32_t Signed __attribute__((vector_size(32)));

inline void gather(const std::int32_t* from, const std::int32_t* places, Eight* to) {
#if defined(__AVX2__)
    *to = reinterpret_cast<Eight>(
        _mm256_i32gather_epi32(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places)), 4));
#else
    std::int32_t values[8];
    for (int i = 0; i < 8; ++i) values[i] = from[places[i]];
    std::memcpy(to, values, sizeof(Eight));
#endif
}

// A Walsh-Hadamard transform. Without instructions for eight the compiler takes what there is. Unsigned, so that what
// is too large on the way wraps around and back again.
void transform(const std::int32_t* coefficients, const std::int32_t* places, std::size_t blocks, std::int32_t* sums,
               std::int32_t* best) {
    for (std::size_t block = 0; block < blocks; ++block, places += 15 * 8, sums += 16 * 8, best += 8) {
        Eight v[16];
        for (std::size_t s = 0; s < 15; ++s) gather(coefficients, places + 8 * s, &v[s]);
        std::memcpy(&v[15], sums + 15 * 8, sizeof(Eight));
#pragma GCC unroll 4
        for (std::size_t bit = 1; bit < 16; bit *= 2)
#pragma GCC unroll 16
            for (std::size_t s = 0; s < 16; ++s)
                if (!(s & bit)) {
                    const Eight plus = v[s] + v[s | bit], minus = v[s] - v[s | bit];
                    v[s] = plus;
                    v[s | bit] = minus;
                }
        Signed most = {};
        for (std::size_t s = 0; s < 16; ++s) {
            const Signed quarter = reinterpret_cast<Signed&>(v[s]) >> 2, negative = quarter >> 31;
            const Signed size = (quarter ^ negative) - negative;
            most = size > most ? size : most;
            std::memcpy(sums + 8 * s, &quarter, sizeof(Signed));
        }
        std::memcpy(best, &most, sizeof(Signed));
    }
}

}  // namespace

extern const Counting BOOLEARN_KERNELS;
const Counting BOOLEARN_KERNELS = {BOOLEARN_ISA_NAME, bits, differ, differ_weighted, pack, count, score, transform};

}  // namespace boolearn::gates
