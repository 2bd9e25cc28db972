// Projection to the constraint of one Boolean threshold function (Elser & Lal, "Projecting to the BTF
// constraint"), for a vector of data items at once.
//
// In s = w + x and d = w - x the projection is diagonal. To reach w.x = +mu,
//
//     s' = s / (1 - u),   d' = d / (1 + u),
//
// and with S = |s|^2/2, D = |d|^2/2 (so w.x = (S - D)/2) the one number u in [0, 1) solves
//
//     S / (1-u)^2 - D / (1+u)^2 = 2 mu.
//
// The target -mu is the same with s and d exchanged. The squared distance moved is
// S (u/(1-u))^2 + D (u/(1+u))^2, so the choice between y' = +1 and y' = -1 needs no vectors either.
#pragma once

#include "simd.h"

namespace {

template <class Real> struct Precision;
template <> struct Precision<float> {
    static constexpr int steps = 1;
    static constexpr float trace = 1e-18f, least = 1e-37f;
};
template <> struct Precision<double> {
    static constexpr int steps = 2;
    static constexpr double trace = 1e-36, least = 1e-307;
};

// s_A = alpha s and d_A = delta d, with alpha = 1/(1-u) and delta = 1/(1+u).
template <class P> struct Stretch {
    P alpha, delta;
};

// The stretch of S and D until they differ by two_mu; needs S - D <= two_mu.
//
// With a, b, c the margin, D and S in units of two_mu + D, v = 1 - u and t = 1 + u, v is the root in (0, 1] of
//
//     f(v) = v^2 (a t^2 + b) - c t^2.
//
// The start is exact for D = 0, for large D and for small S, and within 5 % everywhere else; each step
// has fourth order, so one gives every digit of single precision and two those of double. Where
// s = 0 the projection is not unique; the trace added to c keeps v above zero and the answer always the same.
template <class Real, class P> BOOLEARN_INLINE Stretch<P> stretch(P S, P D, Real two_mu) {
    const P all = D + P(two_mu);
    const P soft = D + P(two_mu * Real(8.0 / 3.0));
    const P inverse = P(1) / (all * soft);
    const P per_all = soft * inverse;
    const P a = P(two_mu) * per_all;
    const P b = D * per_all;
    const P c = S * per_all + P(Precision<Real>::trace);
    const P r = sqrt(S * all) * per_all;  // the root of c, begun before the division is done
    P v = r + r * (D * all * inverse) * (P(1) - r) * (P(1) - P(Real(0.5)) * r);
    for (int k = 1;; ++k) {
        const P t = P(2) - v;
        const P at = a * t;
        const P A = at * t + b;
        const P vv = v * v;
        const P f = vv * A - c * t * t;
        const P f1 = v * A - vv * at + c * t;                // f'/2
        const P ff2 = f * (A - P(4) * v * at + a * vv - c);  // f f''/2
        const P square = P(2) * f1 * f1 - P(Real(0.5)) * ff2;
        const P cube = f1 * (P(2) * square - ff2) + f * f * (a * (v - t));  // a (v - t) is f'''/12
        const P move = f * square;
        // The next v is v - move/cube; at the end its inverse is wanted, not itself.
        if (k == Precision<Real>::steps) return {cube / (v * cube - move), cube / (t * cube + move)};
        v = v - move / cube;
    }
}

template <class P> struct Threshold {
    P alpha, delta, y;
};

// To the margin on the side of w.x, beyond which nothing moves. This is the projection when y agrees with w.x.
template <class Real, class P> BOOLEARN_INLINE Threshold<P> project_near(P S, P D, Real two_mu) {
    const P one(1);
    const auto minus = S < D;
    const P large = select(minus, D, S), small = select(minus, S, D);
    const Stretch<P> to = stretch(large, small, two_mu);
    const auto within = large - small < P(two_mu);
    const P more = select(within, to.alpha, one), less = select(within, to.delta, one);
    return {select(minus, less, more), select(minus, more, less), select(minus, P(-1), one)};
}

// Where y and w.x disagree, the nearer of the two sides: y' = +1 if |to +|^2 + (1 - y)^2 < |to -|^2 + (1 + y)^2.
template <class Real, class P> BOOLEARN_INLINE Threshold<P> project_threshold(P S, P D, P y, Real two_mu) {
    const P one(1);
    const auto minus = S < D;
    const P large = select(minus, D, S), small = select(minus, S, D);
    // The two sides are worked out together: one alone would leave the processor waiting for its own results.
    const auto both = stretch(join(large, small), join(small, large), two_mu);
    const auto within = large - small < P(two_mu);
    const Stretch<P> near = {select(within, half(both.alpha, 0), one), select(within, half(both.delta, 0), one)};
    const Stretch<P> far = {half(both.alpha, 1), half(both.delta, 1)};
    const auto moved2 = [&](P from_s, P from_d, Stretch<P> how) {
        const P s = how.alpha - one, d = how.delta - one;
        return from_s * s * s + from_d * d * d;
    };
    const P further = moved2(small, large, far) - moved2(large, small, near);
    // Positive for y' = +1; the smallest of numbers gives a tie to -1.
    const P choice = P(4) * y + select(minus, P(0) - further, further) - P(Precision<Real>::least);
    const auto plus = choice > P(0);
    const P y_a = select(plus, one, P(-1));
    const auto stays = y_a == select(minus, P(-1), one);
    const P more = select(stays, near.alpha, far.alpha), less = select(stays, near.delta, far.delta);
    return {select(plus, more, less), select(plus, less, more), y_a};
}

}  // namespace
