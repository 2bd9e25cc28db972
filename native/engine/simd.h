// Vectors across data items.
//
// A Pack holds kBlock machine vectors, one data item per lane, and behaves like a number: the
// mathematics of the other headers is written once and compiled once per instruction set. GCC's and
// Clang's vector types do the rest, so nothing here is tied to x86 but the square root.
//
// Included by kernel.cpp only. Everything lives in an unnamed namespace: the same names are compiled
// with different instruction sets, and the linker must never take one copy for another.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernel.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// A build with sanitizers leaves inlining to the compiler: checked and inlined, the sweep would be too large to
// compile.
#ifdef BOOLEARN_CHECKED
#define BOOLEARN_INLINE inline
#else
#define BOOLEARN_INLINE inline __attribute__((always_inline))
#endif

namespace {

using boolearn::Half;

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

// A group of items is one cache line wide on every machine, so that the layout of the state does not
// depend on the instruction set. Two vectors at a time is what sixteen registers can hold.
constexpr int kBlock = kVectorBytes == boolearn::kLineBytes ? 1 : 2;

template <class Real> struct VectorOf;
template <> struct VectorOf<float> {
    typedef float Type __attribute__((vector_size(kVectorBytes)));
    typedef float InMemory __attribute__((vector_size(kVectorBytes), aligned(16), may_alias));
    typedef std::int32_t Mask __attribute__((vector_size(kVectorBytes)));
};
template <> struct VectorOf<double> {
    typedef double Type __attribute__((vector_size(kVectorBytes)));
    typedef double InMemory __attribute__((vector_size(kVectorBytes), aligned(16), may_alias));
    typedef std::int64_t Mask __attribute__((vector_size(kVectorBytes)));
};
template <class Real, int lanes> struct LanesOf {
    typedef Real Type __attribute__((vector_size(lanes * sizeof(Real))));
};
template <class Real> using Vector = typename VectorOf<Real>::Type;
template <class Real> using MaskVector = typename VectorOf<Real>::Mask;

template <class Real> BOOLEARN_INLINE Vector<Real> load_vector(const Real* from) {
    return *reinterpret_cast<const typename VectorOf<Real>::InMemory*>(from);
}
template <class Real> BOOLEARN_INLINE void store_vector(Real* to, Vector<Real> v) {
    *reinterpret_cast<typename VectorOf<Real>::InMemory*>(to) = v;
}

// Kept in half precision, computed in single.
#if defined(__AVX512F__)
BOOLEARN_INLINE Vector<float> load_vector(const Half* from) {
    return (Vector<float>)_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
BOOLEARN_INLINE void store_vector(Half* to, Vector<float> v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(__F16C__)
BOOLEARN_INLINE Vector<float> load_vector(const Half* from) {
    return (Vector<float>)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
BOOLEARN_INLINE void store_vector(Half* to, Vector<float> v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(__aarch64__)
BOOLEARN_INLINE Vector<float> load_vector(const Half* from) {
    return (Vector<float>)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(&from->bits)));
}
BOOLEARN_INLINE void store_vector(Half* to, Vector<float> v) {
    vst1_u16(&to->bits, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)v)));
}
#else
BOOLEARN_INLINE Vector<float> load_vector(const Half* from) {
    Vector<float> v;
    for (unsigned k = 0; k < sizeof v / sizeof v[0]; ++k) v[k] = from[k];
    return v;
}
BOOLEARN_INLINE void store_vector(Half* to, Vector<float> v) {
    for (unsigned k = 0; k < sizeof v / sizeof v[0]; ++k) to[k] = Half(v[k]);
}
#endif

#if defined(__AVX512F__)
BOOLEARN_INLINE Vector<float> root(Vector<float> v) { return (Vector<float>)_mm512_sqrt_ps((__m512)v); }
BOOLEARN_INLINE Vector<double> root(Vector<double> v) { return (Vector<double>)_mm512_sqrt_pd((__m512d)v); }
#elif defined(__AVX__)
BOOLEARN_INLINE Vector<float> root(Vector<float> v) { return (Vector<float>)_mm256_sqrt_ps((__m256)v); }
BOOLEARN_INLINE Vector<double> root(Vector<double> v) { return (Vector<double>)_mm256_sqrt_pd((__m256d)v); }
#elif defined(__SSE2__)
BOOLEARN_INLINE Vector<float> root(Vector<float> v) { return (Vector<float>)_mm_sqrt_ps((__m128)v); }
BOOLEARN_INLINE Vector<double> root(Vector<double> v) { return (Vector<double>)_mm_sqrt_pd((__m128d)v); }
#elif defined(__aarch64__)
BOOLEARN_INLINE Vector<float> root(Vector<float> v) { return (Vector<float>)vsqrtq_f32((float32x4_t)v); }
BOOLEARN_INLINE Vector<double> root(Vector<double> v) { return (Vector<double>)vsqrtq_f64((float64x2_t)v); }
#else
template <class V> BOOLEARN_INLINE V root(V v) {
    for (unsigned k = 0; k < sizeof(V) / sizeof(v[0]); ++k) v[k] = __builtin_sqrt(v[k]);
    return v;
}
#endif

template <class Real> BOOLEARN_INLINE Vector<Real> broadcast(Real everywhere) { return everywhere - Vector<Real>{}; }

// N vectors that are worked on in step. The loops over them vanish in the compiler.
template <class Real, int N> struct Mask {
    MaskVector<Real> part[N];
};

template <class Real, int N = kBlock> struct Pack {
    static constexpr int kVectorLanes = kVectorBytes / int(sizeof(Real));
    Vector<Real> part[N];

    Pack() = default;
    BOOLEARN_INLINE Pack(Real everywhere) {
        for (int k = 0; k < N; ++k) part[k] = broadcast(everywhere);
    }
    template <class Kept> static BOOLEARN_INLINE Pack load(const Kept* from) {
        Pack r;
        for (int k = 0; k < N; ++k) r.part[k] = load_vector(from + k * kVectorLanes);
        return r;
    }
    BOOLEARN_INLINE void store(Real* to) const {
        for (int k = 0; k < N; ++k) store_vector(to + k * kVectorLanes, part[k]);
    }
    BOOLEARN_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }

#define BOOLEARN_ELEMENTWISE(Result, head, expression)      \
    friend BOOLEARN_INLINE Result head {                    \
        Result r;                                           \
        for (int k = 0; k < N; ++k) r.part[k] = expression; \
        return r;                                           \
    }
    using Where = Mask<Real, N>;
    BOOLEARN_ELEMENTWISE(Pack, operator+(Pack a, Pack b), a.part[k] + b.part[k])
    BOOLEARN_ELEMENTWISE(Pack, operator-(Pack a, Pack b), a.part[k] - b.part[k])
    BOOLEARN_ELEMENTWISE(Pack, operator*(Pack a, Pack b), a.part[k] * b.part[k])
    BOOLEARN_ELEMENTWISE(Pack, operator/(Pack a, Pack b), a.part[k] / b.part[k])
    BOOLEARN_ELEMENTWISE(Pack, sqrt(Pack a), root(a.part[k]))
    BOOLEARN_ELEMENTWISE(Where, operator<(Pack a, Pack b), a.part[k] < b.part[k])
    BOOLEARN_ELEMENTWISE(Where, operator>(Pack a, Pack b), a.part[k] > b.part[k])
    BOOLEARN_ELEMENTWISE(Where, operator==(Pack a, Pack b), a.part[k] == b.part[k])
    BOOLEARN_ELEMENTWISE(Pack, select(Where m, Pack yes, Pack no), m.part[k] ? yes.part[k] : no.part[k])
    BOOLEARN_ELEMENTWISE(Pack, max(Pack a, Pack b), a.part[k] < b.part[k] ? b.part[k] : a.part[k])
#undef BOOLEARN_ELEMENTWISE
};

// Two packs side by side, and apart again.
template <class Real, int N> BOOLEARN_INLINE Pack<Real, 2 * N> join(Pack<Real, N> a, Pack<Real, N> b) {
    Pack<Real, 2 * N> r;
    for (int k = 0; k < N; ++k) {
        r.part[k] = a.part[k];
        r.part[N + k] = b.part[k];
    }
    return r;
}
template <class Real, int N> BOOLEARN_INLINE Pack<Real, N / 2> half(Pack<Real, N> a, int which) {
    Pack<Real, N / 2> r;
    for (int k = 0; k < N / 2; ++k) r.part[k] = a.part[which * (N / 2) + k];
    return r;
}

template <class Real, int N> BOOLEARN_INLINE bool all(Mask<Real, N> m) {
    MaskVector<Real> lanes = m.part[0];
    for (int k = 1; k < N; ++k) lanes &= m.part[k];
    std::uint64_t words[kVectorBytes / 8], common = ~std::uint64_t(0);
    std::memcpy(words, &lanes, sizeof words);
    for (std::uint64_t word : words) common &= word;
    return common == ~std::uint64_t(0);
}

// The vectors of a pack added to one vector; the lanes are added later, once for many packs.
template <class Real, int N> BOOLEARN_INLINE Vector<Real> fold(Pack<Real, N> a) {
    Vector<Real> sum = a.part[0];
    for (int k = 1; k < N; ++k) sum += a.part[k];
    return sum;
}

// The lanes of a vector added by halves: one order of additions on every machine of this width. The halves stay in
// registers; an array of lanes would be written to memory and added one by one.
template <class Real, int lanes> BOOLEARN_INLINE Real across_lanes(typename LanesOf<Real, lanes>::Type v) {
    if constexpr (lanes == 2) {
        return v[0] + v[1];
    } else {
        typename LanesOf<Real, lanes / 2>::Type low, high;
        std::memcpy(&low, &v, sizeof low);
        std::memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof low, sizeof high);
        return across_lanes<Real, lanes / 2>(low + high);
    }
}
template <class Real> BOOLEARN_INLINE Real across(Vector<Real> v) {
    return across_lanes<Real, kVectorBytes / int(sizeof(Real))>(v);
}

}  // namespace
