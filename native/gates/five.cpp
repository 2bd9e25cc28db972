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
        for (std::size_t c = 0; c < n; ++c)
            fives.chance[c] = static_cast<double>(scan.m1[c]) * static_cast<double>(scan.m1[c]);
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

// Sums come in blocks of eight sets.
static std::size_t place_of_sum(std::size_t set, std::size_t signs) { return (set / 8 * kSigns + signs) * 8 + set % 8; }

// Coefficients are found by number: first 3 M1 of every column, then −M3 of every triple a < b < c.
static std::size_t place_of(std::size_t k, std::size_t a, std::size_t b, std::size_t c) {
    return k + (a * k + b) * k + c;
}

const Sampler::SetsOfFive& Sampler::list_sets(Fives& fives, std::size_t k) {
    if (fives.sets_of.size() <= k) fives.sets_of.resize(k + 1);
    SetsOfFive& sets = fives.sets_of[k];
    if (sets.size) return sets;
    for (std::size_t b = k - 4; b > 0; --b)
        for (std::size_t c = b + 1; c < k; ++c)
            for (std::size_t d = c + 1; d < k; ++d)
                for (std::size_t e = d + 1; e < k; ++e)
                    sets.quads.push_back({static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c),
                                          static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(e)});
    sets.size = sets.quads.size() * k / 5;
    sets.blocks = round_up(sets.size) / 8;
    sets.places.assign(sets.blocks * (kSigns - 1) * 8, 0);
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a)
        for (std::size_t j = 0; j < sets_of_four(k - 1 - a); ++j, ++set) {
            const std::size_t b = sets.quads[j][0], c = sets.quads[j][1], d = sets.quads[j][2], e = sets.quads[j][3];
            // Bits 0 to 3 of the coefficient's number stand for a to d; e is there when it takes that to be odd.
            const std::size_t places[kSigns - 1] = {e,
                                                    a,
                                                    b,
                                                    place_of(k, a, b, e),
                                                    c,
                                                    place_of(k, a, c, e),
                                                    place_of(k, b, c, e),
                                                    place_of(k, a, b, c),
                                                    d,
                                                    place_of(k, a, d, e),
                                                    place_of(k, b, d, e),
                                                    place_of(k, a, b, d),
                                                    place_of(k, c, d, e),
                                                    place_of(k, a, c, d),
                                                    place_of(k, b, c, d)};
            for (std::size_t s = 0; s + 1 < kSigns; ++s)
                sets.places[(set / 8 * (kSigns - 1) + s) * 8 + set % 8] = static_cast<std::int32_t>(places[s]);
        }
    return sets;
}

void Sampler::count_five(Scan& scan) {
    Fives& fives = scan.fives;
    fives.size = 0;
    if (!task_->five[scan.neuron]) return;
    choose_five(scan, gates_[scan.neuron]);
    const std::size_t k = fives.columns.size(), words = scan.shift.size(), all = scan.columns.size();
    if (k < 5) return;
    const SetsOfFive& sets = list_sets(fives, k);
    fives.sets = &sets;
    fives.size = sets.size;
    const auto column = [&](std::size_t place) { return static_cast<std::size_t>(fives.columns[place]); };

    fives.coefficients.resize(k + k * k * k);
    for (std::size_t a = 0; a < k; ++a) fives.coefficients[a] = 3 * scan.m1[column(a)];
    for (std::size_t a = 0; a + 2 < k; ++a)
        for (std::size_t b = a + 1; b + 1 < k; ++b) {
            const std::size_t p = column(a), q = column(b);
            // The pairs of later first inputs come before those of q.
            const std::int32_t* m3 = &scan.m3[scan.runs[p].at + (all - 1 - q) * (all - 2 - q) / 2];
            for (std::size_t c = b + 1; c < k; ++c) fives.coefficients[place_of(k, a, b, c)] = -m3[column(c) - q - 1];
        }
    const std::size_t stride = round_up(sets.quads.size());
    fives.table.resize(words * stride);
    fives.packed.resize(words * k);
    for (std::size_t w = 0; w < words; ++w) {
        Word* x = &fives.packed[w * k];
        for (std::size_t c = 0; c < k; ++c) x[c] = scan.packed[w * round_up(all) + column(c)];
        Word* to = &fives.table[w * stride];
        for (std::size_t b = k - 4; b > 0; --b)
            for (std::size_t c = b + 1; c < k; ++c)
                for (std::size_t d = c + 1; d < k; ++d)
                    for (std::size_t e = d + 1; e < k; ++e) *to++ = x[b] ^ x[c] ^ x[d] ^ x[e];
    }
    fives.m5.resize(stride);
    scan.row.resize(words);
    fives.sums.resize(sets.blocks * kSigns * 8);
    fives.best.resize(sets.blocks * 8);
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a) {
        const std::size_t n = sets_of_four(k - 1 - a);
        for (std::size_t w = 0; w < words; ++w) scan.row[w] = scan.sign[w] ^ fives.packed[w * k + a];
        task_->counting->count(scan.row.data(), fives.table.data(), stride, scan.shift.data(), words, n,
                               fives.m5.data());
        for (std::size_t j = 0; j < n; ++j, ++set)
            fives.sums[place_of_sum(set, kSigns - 1)] = 3 * (scan.weight - 2 * fives.m5[j]);
    }
    task_->counting->transform(fives.coefficients.data(), sets.places.data(), sets.blocks, fives.sums.data(),
                               fives.best.data());
    for (std::size_t j = 0; j < sets.size; ++j) scan.most = std::max(scan.most, fives.best[j]);
    // Where the last block has no set, its numbers mean nothing, and could be too large for a table.
    for (set = sets.size; set < 8 * sets.blocks; ++set)
        for (std::size_t s = 0; s < kSigns; ++s) fives.sums[place_of_sum(set, s)] = 0;
}

// Adds up the 32 weights of each set of five: the whole, with the factor `weight`.
double Sampler::weigh_five(Scan& scan, double weight, double unit) const {
    Fives& fives = scan.fives;
    const std::size_t k = fives.columns.size();
    const auto& quads = fives.sets->quads;
    fives.weights.assign(fives.sets->blocks * 8, 0);
    fives.quad_favour.resize(quads.size());
    for (std::size_t j = 0; j < quads.size(); ++j) {
        const auto& quad = quads[j];
        fives.quad_favour[j] =
            (fives.favour[quad[0]] * fives.favour[quad[1]]) * (fives.favour[quad[2]] * fives.favour[quad[3]]);
    }
    if (scan.closed) {
        for (std::size_t block = 0; block < fives.sets->blocks; ++block) {
            double weights[8] = {};
            for (std::size_t s = 0; s < kSigns; ++s)
                for (std::size_t j = 0; j < 8; ++j)
                    weights[j] += cosh_[static_cast<std::size_t>(std::abs(fives.sums[(block * kSigns + s) * 8 + j]))];
            std::copy(weights, weights + 8, &fives.weights[8 * block]);
        }
    } else {
        for (std::size_t j = 0; j < fives.size; ++j)
            for (std::size_t s = 0; s < kSigns && fives.best[j] > scan.least; ++s)
                fives.weights[j] +=
                    term(scan, fives.sums[place_of_sum(j, s)]) + term(scan, -fives.sums[place_of_sum(j, s)]);
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
        const std::int32_t of = fives.sums[place_of_sum(chosen, s)];
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

Gate Sampler::make_five(const Scan& scan, std::size_t set, int signs) {
    const auto& columns = scan.fives.columns;
    std::size_t a = 0;
    for (std::size_t n; set >= (n = sets_of_four(columns.size() - 1 - a)); ++a) set -= n;
    const auto& quad = scan.fives.sets->quads[set];
    return make_majority(scan, {columns[a], columns[quad[0]], columns[quad[1]], columns[quad[2]], columns[quad[3]]},
                         signs);
}

void Sampler::list_fives(const Scan& scan, std::vector<std::pair<Gate, std::int64_t>>& all) const {
    const Fives& fives = scan.fives;
    for (std::size_t set = 0; set < fives.size; ++set)
        for (int s = 0; s < static_cast<int>(kSigns); ++s) {
            const std::int32_t of = fives.sums[place_of_sum(set, static_cast<std::size_t>(s))];
            all.emplace_back(make_five(scan, set, s), errors_of(scan, of));
            all.emplace_back(make_five(scan, set, 2 * static_cast<int>(kSigns) - 1 - s), errors_of(scan, -of));
        }
}

}  // namespace boolearn::gates
