// Majorities of five signed inputs, the constant possibly one of them.
//
// With 8 maj(a, b, c, d, e) = 3 Σ a − Σ abc + 3 abcde, the sum 2 Σ v·gate that stands for the errors of a candidate is
//
//     (3 Σ s M1 − Σ sss M3 + 3 sssss M5) / 4,
//
// over its five inputs and ten triples; M5 is counted as M3 is. As a function of the signs it is a polynomial with
// one coefficient for each odd set of inputs. With e's sign +1 these are the 16 sets of a, b, c, d, and one fast
// Walsh-Hadamard transform gives the sums of 16 choices of signs; the other 16 are their negatives. Like all
// sums they are 2 Σ ±v, hence differ from each other by multiples of four, and none is above 2 Σ |v|.
//
// There are too many sets of five to look at them all: only those of a random part of the columns are, which
// contains the present gate's inputs if that is a majority of five. A column's chance to be in the part depends on
// M1, so not on the neuron's own gate, and whatever the columns are, they stay the same during the visit. So the
// argument of columns.cpp holds once more: weights divided by the chances of a gate's five inputs keep the
// distribution exact, and all other gates weigh what they weigh, whatever the part.
#include <cmath>

#include "sampler.h"

namespace boolearn::gates {

// Of the columns that could all be looked at, a part has this share.
constexpr double kPartOfFive = 0.8;
constexpr std::size_t kSigns = 16;

// How many sets of four there are of n.
static std::size_t sets_of_four(std::size_t n) { return n * (n - 1) * (n - 2) * (n - 3) / 24; }

void Sampler::choose_five(Scan& scan, const Gate& keep) {
    Fives& fives = scan.fives;
    const std::size_t n = scan.columns.size();
    const bool all = n <= static_cast<std::size_t>(task_->most_five);
    fives.columns.clear();
    fives.favour.clear();
    if (!all) {
        fives.chance.resize(n);
        for (std::size_t c = 0; c < n; ++c) fives.chance[c] = static_cast<double>(scan.m1[c]) * static_cast<double>(scan.m1[c]);
        spread_chances(fives.chance, kPartOfFive * task_->most_five);
    }
    double top[5] = {};
    for (std::size_t c = 0; c < n; ++c) {
        if (!all) {
            bool kept = false;
            for (int k = 0; keep.size() == 5 && k < 5; ++k) kept |= keep.inputs[k] == scan.columns[c];
            if (!kept && random.uniform() >= fives.chance[c]) continue;
        }
        fives.columns.push_back(static_cast<std::int32_t>(c));
        fives.favour.push_back(all ? scan.favour[c] : scan.favour[c] / fives.chance[c]);
        double least = std::log(fives.favour.back());
        for (double& value : top)
            if (least > value) std::swap(least, value);
    }
    scan.most_favour = std::max(scan.most_favour, top[0] + top[1] + top[2] + top[3] + top[4]);
}

void Sampler::count_five(Scan& scan) {
    Fives& fives = scan.fives;
    fives.size = 0;
    if (!task_->five[scan.neuron]) return;
    choose_five(scan, gates_[scan.neuron]);
    const std::size_t k = fives.columns.size(), words = scan.shift.size(), all = scan.columns.size();
    if (k < 5) return;
    if (fives.quads_of != k) {
        fives.quads_of = k;
        fives.quads.clear();
        for (std::size_t b = k - 4; b > 0; --b)
            for (std::size_t c = b + 1; c < k; ++c)
                for (std::size_t d = c + 1; d < k; ++d)
                    for (std::size_t e = d + 1; e < k; ++e)
                        fives.quads.push_back({static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(e)});
    }
    const std::size_t quads = fives.quads.size(), stride = round_up(quads);
    fives.table.resize(words * stride);
    fives.packed.resize(words * k);
    for (std::size_t w = 0; w < words; ++w) {
        Word* x = &fives.packed[w * k];
        for (std::size_t c = 0; c < k; ++c) x[c] = scan.packed[w * round_up(all) + static_cast<std::size_t>(fives.columns[c])];
        Word* to = &fives.table[w * stride];
        for (std::size_t b = k - 4; b > 0; --b)
            for (std::size_t c = b + 1; c < k; ++c)
                for (std::size_t d = c + 1; d < k; ++d)
                    for (std::size_t e = d + 1; e < k; ++e) *to++ = x[b] ^ x[c] ^ x[d] ^ x[e];
    }
    // M3 of the part, [a][b][c].
    fives.m3.resize(k * k * k);
    for (std::size_t a = 0; a + 2 < k; ++a)
        for (std::size_t b = a + 1; b + 1 < k; ++b) {
            const std::size_t p = static_cast<std::size_t>(fives.columns[a]), q = static_cast<std::size_t>(fives.columns[b]);
            // The pairs of later first inputs come before those of q.
            const std::int32_t* m3 = &scan.m3[scan.runs[p].at + (all - 1 - q) * (all - 2 - q) / 2];
            for (std::size_t c = b + 1; c < k; ++c) fives.m3[(a * k + b) * k + c] = m3[static_cast<std::size_t>(fives.columns[c]) - q - 1];
        }
    const std::size_t size = fives.size = quads * k / 5;
    fives.sums.resize(kSigns * size);
    fives.best.resize(size);
    fives.m5.resize(stride);
    scan.row.resize(words);
    const auto m1 = [&](std::size_t c) { return 3 * scan.m1[static_cast<std::size_t>(fives.columns[c])]; };
    const auto m3 = [&](std::size_t a, std::size_t b, std::size_t c) { return -fives.m3[(a * k + b) * k + c]; };
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a) {
        const std::size_t n = sets_of_four(k - 1 - a);
        for (std::size_t w = 0; w < words; ++w) scan.row[w] = scan.sign[w] ^ fives.packed[w * k + a];
        task_->counting->count(scan.row.data(), fives.table.data(), stride, scan.shift.data(), words, n, fives.m5.data());
        for (std::size_t j = 0; j < n; ++j, ++set) {
            const std::size_t b = fives.quads[j][0], c = fives.quads[j][1], d = fives.quads[j][2], e = fives.quads[j][3];
            const std::int32_t of[kSigns] = {m1(e),       m1(a),       m1(b),       m3(a, b, e), m1(c),       m3(a, c, e),
                                             m3(b, c, e), m3(a, b, c), m1(d),       m3(a, d, e), m3(b, d, e), m3(a, b, d),
                                             m3(c, d, e), m3(a, c, d), m3(b, c, d), 3 * (scan.weight - 2 * fives.m5[j])};
            for (std::size_t s = 0; s < kSigns; ++s) fives.sums[s * size + set] = of[s];
        }
    }
    // What is too large on the way wraps around and back again.
    for (std::size_t bit = 1; bit < kSigns; bit *= 2)
        for (std::size_t s = 0; s < kSigns; ++s) {
            if (s & bit) continue;
            std::int32_t *plus = &fives.sums[s * size], *minus = &fives.sums[(s | bit) * size];
            for (std::size_t j = 0; j < size; ++j) {
                const std::uint32_t x = static_cast<std::uint32_t>(plus[j]), y = static_cast<std::uint32_t>(minus[j]);
                plus[j] = static_cast<std::int32_t>(x + y);
                minus[j] = static_cast<std::int32_t>(x - y);
            }
        }
    std::fill(fives.best.begin(), fives.best.end(), 0);
    for (std::size_t s = 0; s < kSigns; ++s) {
        std::int32_t* sums = &fives.sums[s * size];
        for (std::size_t j = 0; j < size; ++j) {
            sums[j] /= 4;
            fives.best[j] = std::max(fives.best[j], std::abs(sums[j]));
        }
    }
    for (std::size_t j = 0; j < size; ++j) scan.most = std::max(scan.most, fives.best[j]);
}

// Adds up the 32 weights of each set of five: the whole, with the factor `weight`.
double Sampler::weigh_five(Scan& scan, double weight, double unit) const {
    Fives& fives = scan.fives;
    const std::size_t size = fives.size, k = fives.columns.size();
    fives.weights.assign(size, 0);
    fives.quad_favour.resize(fives.quads.size());
    for (std::size_t j = 0; j < fives.quads.size(); ++j) {
        const auto& quad = fives.quads[j];
        fives.quad_favour[j] = (fives.favour[quad[0]] * fives.favour[quad[1]]) * (fives.favour[quad[2]] * fives.favour[quad[3]]);
    }
    if (scan.closed) {
        for (std::size_t s = 0; s < kSigns; ++s)
            for (std::size_t j = 0; j < size; ++j) fives.weights[j] += cosh_[static_cast<std::size_t>(std::abs(fives.sums[s * size + j]))];
    } else {
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t s = 0; s < kSigns && fives.best[j] > scan.least; ++s)
                fives.weights[j] += term(scan, fives.sums[s * size + j]) + term(scan, -fives.sums[s * size + j]);
    }
    double sum = 0;
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a) {
        const std::size_t n = sets_of_four(k - 1 - a);
        for (std::size_t j = 0; j < n; ++j, ++set) sum += fives.weights[set] *= fives.favour[a] * fives.quad_favour[j];
    }
    fives.unit = weight * unit;
    fives.sum = fives.unit * sum;
    return fives.sum;
}

Gate Sampler::draw_five(const Scan& scan, double left) {
    const Fives& fives = scan.fives;
    left /= fives.unit;
    std::size_t chosen = 0;
    bool found = false;
    for (std::size_t set = 0; set < fives.size && !found; ++set) {
        if (fives.weights[set] <= 0) continue;
        chosen = set;
        found = left < fives.weights[set];
        left -= fives.weights[set];
    }
    double weights[2 * kSigns], sum = 0;
    for (std::size_t s = 0; s < kSigns; ++s) {
        const std::int32_t of = fives.sums[s * fives.size + chosen];
        sum += weights[s] = term(scan, of);
        sum += weights[2 * kSigns - 1 - s] = term(scan, -of);
    }
    left = random.uniform() * sum;
    int signs = 0;
    found = false;
    for (int s = 0; s < static_cast<int>(2 * kSigns) && !found; ++s) {
        if (weights[s] <= 0) continue;
        signs = s;
        found = left < weights[s];
        left -= weights[s];
    }
    return make_five(scan, chosen, signs);
}

// Bit k of the signs is set where input k has the sign −1.
Gate Sampler::make_five(const Scan& scan, std::size_t set, int signs) {
    const Fives& fives = scan.fives;
    const std::size_t k = fives.columns.size();
    std::size_t a = 0;
    for (std::size_t n; set >= (n = sets_of_four(k - 1 - a)); ++a) set -= n;
    const auto& quad = fives.quads[set];
    const std::size_t places[5] = {a, quad[0], quad[1], quad[2], quad[3]};
    Gate gate;
    for (int j = 0; j < 5; ++j) {
        gate.inputs[j] = scan.columns[static_cast<std::size_t>(fives.columns[places[j]])];
        gate.signs[j] = signs >> j & 1 ? -1 : 1;
    }
    // The constant stands first among the columns, whatever its place among the senders.
    for (int j = 0; j < 4; ++j)
        if (gate.inputs[j] > gate.inputs[j + 1]) {
            std::swap(gate.inputs[j], gate.inputs[j + 1]);
            std::swap(gate.signs[j], gate.signs[j + 1]);
        }
    return gate;
}

void Sampler::list_fives(const Scan& scan, std::vector<std::pair<Gate, std::int64_t>>& all) const {
    const Fives& fives = scan.fives;
    for (std::size_t set = 0; set < fives.size; ++set)
        for (int s = 0; s < static_cast<int>(kSigns); ++s) {
            const std::int32_t of = fives.sums[static_cast<std::size_t>(s) * fives.size + set];
            all.emplace_back(make_five(scan, set, s), errors_of(scan, of));
            all.emplace_back(make_five(scan, set, 2 * static_cast<int>(kSigns) - 1 - s), errors_of(scan, -of));
        }
}

}  // namespace boolearn::gates
