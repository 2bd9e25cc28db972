// The inner loops, compiled once per instruction set. GCC's and Clang's vector types carry the logic.
#include "kernel.h"

#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define BOOLEARN_INLINE inline __attribute__((always_inline))

namespace {

using namespace boolearn::evaluate;

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kVectorWords = kVectorBytes / 8;

typedef std::uint64_t Bits __attribute__((vector_size(kVectorBytes)));
typedef std::uint64_t BitsInMemory __attribute__((vector_size(kVectorBytes), may_alias));
typedef signed char Bytes __attribute__((vector_size(kVectorBytes)));
typedef unsigned char Octets __attribute__((vector_size(kVectorBytes)));

BOOLEARN_INLINE Bits load(const std::uint64_t* from) { return *reinterpret_cast<const BitsInMemory*>(from); }
BOOLEARN_INLINE void store(std::uint64_t* to, Bits v) { *reinterpret_cast<BitsInMemory*>(to) = v; }

#if defined(__AVX512F__)
template <int table> BOOLEARN_INLINE Bits ternary(Bits a, Bits b, Bits c) {
    return (Bits)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, table);
}
BOOLEARN_INLINE Bits maj(Bits a, Bits b, Bits c) { return ternary<0xE8>(a, b, c); }
BOOLEARN_INLINE Bits maj_not(Bits a, Bits b, Bits c) { return ternary<0xD4>(a, b, c); }
BOOLEARN_INLINE Bits xor_xor(Bits a, Bits b, Bits c) { return ternary<0x96>(a, b, c); }
#else
BOOLEARN_INLINE Bits maj(Bits a, Bits b, Bits c) { return (a & b) | (c & (a ^ b)); }
BOOLEARN_INLINE Bits maj_not(Bits a, Bits b, Bits c) { return (a & b) | (~c & (a ^ b)); }
BOOLEARN_INLINE Bits xor_xor(Bits a, Bits b, Bits c) { return a ^ b ^ c; }
#endif

// Operands are read before results are written: a result may take an operand's slot.
template <class Logic> BOOLEARN_INLINE void each(const Instruction& i, Slots s, Logic logic) {
    const std::uint64_t *a = s.first + i.a * s.words, *b = s.first + i.b * s.words, *c = s.first + i.c * s.words;
    std::uint64_t* result = s.first + i.result * s.words;
    for (std::size_t k = 0; k < s.words; k += kLineWords)
        for (std::size_t v = k; v < k + kLineWords; v += kVectorWords)
            store(result + v, logic(load(a + v), load(b + v), load(c + v)));
}

template <class Low, class High> BOOLEARN_INLINE void each(const Instruction& i, Slots s, Low low, High high) {
    const std::uint64_t *a = s.first + i.a * s.words, *b = s.first + i.b * s.words, *c = s.first + i.c * s.words;
    std::uint64_t *result = s.first + i.result * s.words, *second = s.first + i.second * s.words;
    for (std::size_t k = 0; k < s.words; k += kLineWords)
        for (std::size_t v = k; v < k + kLineWords; v += kVectorWords) {
            const Bits x = load(a + v), y = load(b + v), z = load(c + v);
            store(result + v, low(x, y, z));
            store(second + v, high(x, y, z));
        }
}

#define LOGIC(expression)          \
    [](Bits a, Bits b, Bits c) {   \
        (void)a, (void)b, (void)c; \
        return (expression);       \
    }

void run(const Instruction* program, std::size_t count, Slots s) {
    for (const Instruction* i = program; i != program + count; ++i) switch (i->op) {
            case kZero: each(*i, s, LOGIC(a ^ a)); break;
            case kAnd: each(*i, s, LOGIC(a & b)); break;
            case kAndNot: each(*i, s, LOGIC(a & ~b)); break;
            case kOr: each(*i, s, LOGIC(a | b)); break;
            case kXor: each(*i, s, LOGIC(a ^ b)); break;
            case kAndAnd: each(*i, s, LOGIC(a & b & c)); break;
            case kAndAndNot: each(*i, s, LOGIC(a & b & ~c)); break;
            case kAndNor: each(*i, s, LOGIC(a & ~(b | c))); break;
            case kOrOr: each(*i, s, LOGIC(a | b | c)); break;
            case kAndNand: each(*i, s, LOGIC(a & ~(b & c))); break;
            case kAndOrNot: each(*i, s, LOGIC(a & ~(c & ~b))); break;
            case kAndOr: each(*i, s, LOGIC(a & (b | c))); break;
            case kOrAnd: each(*i, s, LOGIC(a | (b & c))); break;
            case kOrAndNot: each(*i, s, LOGIC(a | (b & ~c))); break;
            case kNotAndOr: each(*i, s, LOGIC(~a & (b | c))); break;
            case kXorXor: each(*i, s, LOGIC(xor_xor(a, b, c))); break;
            case kMaj: each(*i, s, LOGIC(maj(a, b, c))); break;
            case kMajNot: each(*i, s, LOGIC(maj_not(a, b, c))); break;
            case kFullAdd: each(*i, s, LOGIC(xor_xor(a, b, c)), LOGIC(maj(a, b, c))); break;
            case kFullAddNot: each(*i, s, LOGIC(xor_xor(a, b, c)), LOGIC(maj_not(a, b, c))); break;
            case kHalfAdd: each(*i, s, LOGIC(a ^ b), LOGIC(a & b)); break;
            case kHalfAddNot: each(*i, s, LOGIC(a ^ b), LOGIC(a & ~b)); break;
            case kHalfAddOr: each(*i, s, LOGIC(a ^ b), LOGIC(a | b)); break;
        }
}

template <class Vector> BOOLEARN_INLINE Vector read(const void* from) {
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
template <class Vector> BOOLEARN_INLINE void write(void* to, Vector v) { std::memcpy(to, &v, sizeof v); }

BOOLEARN_INLINE Octets everywhere(unsigned char value) { return value - Octets{}; }
BOOLEARN_INLINE Octets greater(Octets a, Octets b) { return a > b ? a : b; }

// octets[g][column] <-> the eight items 8 g ... 8 g + 7 of a column; the word of a column is its octets,
// the first one lowest. Sixteen columns at a time.
constexpr std::size_t kStep = 16;

#if defined(__SSE2__)
BOOLEARN_INLINE void octets_to_words(const unsigned char* octets, std::size_t stride, std::uint64_t* words) {
    __m128i r[8], t[8];
    for (int g = 0; g < 8; ++g) r[g] = read<__m128i>(octets + g * stride);
    // Each round interleaves the first half of the vectors with the second.
    for (int g = 0; g < 4; ++g) {
        t[2 * g] = _mm_unpacklo_epi8(r[g], r[g + 4]);
        t[2 * g + 1] = _mm_unpackhi_epi8(r[g], r[g + 4]);
    }
    // t: pairs (g, g + 4), columns 0-7 at even places and 8-15 at odd ones.
    for (int half = 0; half < 2; ++half) {
        __m128i u[4];
        for (int g = 0; g < 2; ++g) {
            u[2 * g] = _mm_unpacklo_epi8(t[2 * g + half], t[2 * (g + 2) + half]);
            u[2 * g + 1] = _mm_unpackhi_epi8(t[2 * g + half], t[2 * (g + 2) + half]);
        }
        for (int quarter = 0; quarter < 2; ++quarter) {
            write(words + 8 * half + 4 * quarter, _mm_unpacklo_epi8(u[quarter], u[2 + quarter]));
            write(words + 8 * half + 4 * quarter + 2, _mm_unpackhi_epi8(u[quarter], u[2 + quarter]));
        }
    }
}

BOOLEARN_INLINE void words_to_octets(const std::uint64_t* words, unsigned char* octets, std::size_t stride) {
    __m128i a[8], b[8], c[8];
    for (int k = 0; k < 8; ++k) {
        const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(words + k));
        const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(words + k + 8));
        a[k] = _mm_unpacklo_epi8(low, high);
    }
    for (int k = 0; k < 4; ++k) {  // octets 0-3 and 4-7 of columns k, k + 4, k + 8, k + 12
        b[k] = _mm_unpacklo_epi8(a[k], a[k + 4]);
        b[k + 4] = _mm_unpackhi_epi8(a[k], a[k + 4]);
    }
    for (int half = 0; half < 2; ++half)
        for (int k = 0; k < 2; ++k) {
            c[4 * half + k] = _mm_unpacklo_epi8(b[4 * half + k], b[4 * half + k + 2]);
            c[4 * half + k + 2] = _mm_unpackhi_epi8(b[4 * half + k], b[4 * half + k + 2]);
        }
    for (int pair = 0; pair < 4; ++pair) {
        write(octets + 2 * pair * stride, _mm_unpacklo_epi8(c[2 * pair], c[2 * pair + 1]));
        write(octets + (2 * pair + 1) * stride, _mm_unpackhi_epi8(c[2 * pair], c[2 * pair + 1]));
    }
}
#else
BOOLEARN_INLINE void octets_to_words(const unsigned char* octets, std::size_t stride, std::uint64_t* words) {
    for (std::size_t column = 0; column < kStep; ++column) {
        std::uint64_t word = 0;
        for (int g = 0; g < 8; ++g) word |= std::uint64_t(octets[g * stride + column]) << (8 * g);
        words[column] = word;
    }
}

BOOLEARN_INLINE void words_to_octets(const std::uint64_t* words, unsigned char* octets, std::size_t stride) {
    for (int g = 0; g < 8; ++g)
        for (std::size_t column = 0; column < kStep; ++column)
            octets[g * stride + column] = static_cast<unsigned char>(words[column] >> (8 * g));
}
#endif

void pack(const signed char* rows, std::size_t columns, const std::int32_t* slot, Slots slots, std::size_t word,
          unsigned char* octets, Seen& seen) {
    const std::size_t stride = padded(columns);
    Octets any = read<Octets>(seen.any), all = read<Octets>(seen.all), greatest = read<Octets>(seen.greatest);
    for (std::size_t g = 0; g < 8; ++g)
        for (std::size_t column = 0; column < columns; column += kVectorBytes) {
            Octets bits{};
            for (int j = 0; j < 8; ++j) {
                const Bytes row = read<Bytes>(rows + (8 * g + j) * columns + column);
                any |= (Octets)row;
                all &= (Octets)row;
                greatest = greater(greatest, (Octets)row + everywhere(1));
                bits |= (Octets)(row > Bytes{}) & everywhere(static_cast<unsigned char>(1 << j));
            }
            write(octets + g * stride + column, bits);
        }
    write(seen.any, any);
    write(seen.all, all);
    write(seen.greatest, greatest);
    for (std::size_t column = 0; column < columns; column += kStep) {
        std::uint64_t words[kStep];
        octets_to_words(octets + column, stride, words);
        const std::size_t count = columns - column < kStep ? columns - column : kStep;
        for (std::size_t k = 0; k < count; ++k)
            if (slot[column + k] >= 0) slots.first[slot[column + k] * slots.words + word] = words[k];
    }
}

void unpack(signed char* rows, std::size_t columns, const std::int32_t* slot, const std::uint64_t* flip, Slots slots,
            std::size_t word, unsigned char* octets) {
    const std::size_t stride = padded(columns);
    for (std::size_t column = 0; column < columns; column += kStep) {
        std::uint64_t words[kStep] = {};
        const std::size_t count = columns - column < kStep ? columns - column : kStep;
        for (std::size_t k = 0; k < count; ++k)
            words[k] = slots.first[slot[column + k] * slots.words + word] ^ flip[column + k];
        words_to_octets(words, octets + column, stride);
    }
    // In the order of the rows: what is written past a row's end is written again by the next one.
    for (std::size_t item = 0; item < kWord; ++item)
        for (std::size_t column = 0; column < columns; column += kVectorBytes) {
            const Octets bits = read<Octets>(octets + item / 8 * stride + column);
            const Octets clear = (Octets)((bits & everywhere(static_cast<unsigned char>(1 << item % 8))) == Octets{});
            write(rows + item * columns + column, clear | everywhere(1));
        }
}

}  // namespace

namespace boolearn::evaluate {
extern const Kernels BOOLEARN_KERNELS;
const Kernels BOOLEARN_KERNELS = {BOOLEARN_ISA_NAME, run, pack, unpack};
}  // namespace boolearn::evaluate
