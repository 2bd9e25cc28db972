#include "draw.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace boolearn::gates {

// The inputs of a majority of five may be rarer still, by the chance to be in the part of fives.h.
Draw::Draw(const Task& task) : task_(task), most_favour_(task.any_five() ? 5 * (kMostFavour + 4) : 3 * kMostFavour) {}

void Draw::weigh(const Scan& scan, const Prior& prior, double temperature) {
    boltzmann_.set(temperature, most_favour_);
    most_ = scan.most();
    least_ = most_ - 4 * (static_cast<std::int32_t>((kNothing + scan.most_favour()) * temperature) + 2);
    double weight[kKinds];
    for (int k = 0; k < kKinds; ++k)
        weight[k] = prior.gate_weight(static_cast<Kind>(k), task_, scan.neuron, temperature);

    // Where many candidates matter, the terms of all signs are summed in closed form, with hyperbolic cosines. Where
    // few matter, only these are summed, one by one.
    const double exponent = most_ * (1 / (4 * temperature));
    const bool closed = exponent < kMostExponent;
    cosh_ = closed ? boltzmann_.cosh_up_to(static_cast<std::size_t>(2 * scan.field.weight)) : nullptr;
    unit_ = closed ? std::exp(-exponent) : 1;

    weigh_copies(scan, weight[kConstant], weight[kCopy]);
    if (closed) weigh_pairs(scan);
    runs_.resize(scan.triples.runs.size());
    for (std::size_t p = 0; p < runs_.size(); ++p) {
        runs_[p] = weigh_run(scan, p, weight[p == 0 && scan.columns.constant ? kAndOr : kMaj]);
        total_ += runs_[p].sum;
    }
    if (scan.fives.size) {
        weigh_fives(scan, weight[kMaj5]);
        total_ += five_.sum;
    }
    weigh_xors(scan, weight[kXor]);
    total_ += all_xors_;
}

void Draw::weigh_copies(const Scan& scan, double of_constant, double of_copy) {
    const Columns& columns = scan.columns;
    copies_.resize(columns.size());
    total_ = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::int32_t sum = 2 * scan.triples.m1[c];
        const double weight = c == 0 && columns.constant ? of_constant : of_copy;
        copies_[c] = weight * columns.favour[c] * (term(sum) + term(-sum));
        total_ += copies_[c];
    }
}

// The eight choices of signs give the sums ±same ±u and ±other ±v, u = m_p − m3, v = m_p + m3. Their terms add up to
// 4 cosh(same) cosh(u) + 4 cosh(other) cosh(v).
void Draw::weigh_pairs(const Scan& scan) {
    const Triples& triples = scan.triples;
    const std::vector<double>& favour = scan.columns.favour;
    same_.resize(triples.first.size());
    other_.resize(triples.first.size());
    for (std::size_t c = 0; c < triples.first.size(); ++c) {
        const double of_pair = favour[triples.first[c]] * favour[triples.second[c]];
        same_[c] = of_pair * cosh_[triples.same[c]];
        other_[c] = of_pair * cosh_[triples.other[c]];
    }
}

double Draw::triple_weight(const Scan& scan, std::size_t p, std::size_t pair) const {
    const Triples& triples = scan.triples;
    const std::vector<double>& favour = scan.columns.favour;
    const std::size_t at = triples.runs[p].at + pair;
    const std::int32_t m3 = triples.m3[at], same = triples.same[pair], other = triples.other[pair];
    const std::int32_t u = std::abs(triples.m1[p] - m3), v = std::abs(triples.m1[p] + m3);
    if (cosh_) return same_[pair] * cosh_[u] + other_[pair] * cosh_[v];
    if (triples.best[at] <= least_) return 0;
    return favour[triples.first[pair]] * favour[triples.second[pair]] *
           (((term(same + u) + term(same - u)) + (term(u - same) + term(-same - u))) +
            ((term(other + v) + term(other - v)) + (term(v - other) + term(-other - v))));
}

Draw::Group Draw::weigh_run(const Scan& scan, std::size_t p, double weight) const {
    const Triples& triples = scan.triples;
    const Triples::Run& run = triples.runs[p];
    if (run.most <= least_) return {};
    double sum = 0;
    if (cosh_) {
        const std::int32_t m_p = triples.m1[p];
        const std::int32_t* m3 = &triples.m3[run.at];
        const double *same = same_.data(), *other = other_.data(), *cosh = cosh_;
        const auto both = [&](std::size_t c) {
            return same[c] * cosh[std::abs(m_p - m3[c])] + other[c] * cosh[std::abs(m_p + m3[c])];
        };
        double sums[4] = {};
        std::size_t c = 0;
        for (; c + 4 <= run.pairs; c += 4) {
            sums[0] += both(c);
            sums[1] += both(c + 1);
            sums[2] += both(c + 2);
            sums[3] += both(c + 3);
        }
        for (; c < run.pairs; ++c) sums[0] += both(c);
        sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    } else {
        for (std::size_t c = 0; c < run.pairs; ++c)
            if (triples.best[run.at + c] > least_) sum += triple_weight(scan, p, c);
    }
    const double unit = weight * scan.columns.favour[p] * unit_;
    return {unit, unit * sum};
}

// Rounding may leave a remainder after the last of a list; then the last candidate with any weight is taken.
Gate Draw::pick(const Scan& scan, Random& random) const {
    double left = random.uniform() * total_;
    if (all_xors_ > 0) {
        if (left < all_xors_) return pick_xor(scan, left, random);
        left -= all_xors_;
    }
    std::size_t copy = 0, run = 0;
    bool copied = false, found = false;
    for (std::size_t c = 0; c < copies_.size() && !found; ++c) {
        if (copies_[c] <= 0) continue;
        copy = c;
        copied = true;
        found = left < copies_[c];
        if (!found) left -= copies_[c];
    }
    for (std::size_t p = 0; p < runs_.size() && !found; ++p) {
        if (runs_[p].sum <= 0) continue;
        run = p;
        copied = false;
        found = left < runs_[p].sum;
        if (!found) left -= runs_[p].sum;
    }
    if (!found && scan.fives.size && five_.sum > 0) return pick_five(scan, left, random);
    if (!copied) return pick_triple(scan, run, left, random);
    const double up = term(2 * scan.triples.m1[copy]), down = term(-2 * scan.triples.m1[copy]);
    return scan.columns.copy(copy, random.uniform() * (up + down) < up ? 1 : -1);
}

// Which of n candidates `left` falls to, when each takes up weight_of(k) of it.
template <class WeightOf> static std::size_t locate(std::size_t n, double left, WeightOf weight_of) {
    std::size_t chosen = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const double weight = weight_of(k);
        if (weight <= 0) continue;
        chosen = k;
        if (left < weight) break;
        left -= weight;
    }
    return chosen;
}

Gate Draw::pick_triple(const Scan& scan, std::size_t run, double left, Random& random) const {
    const Triples& triples = scan.triples;
    const std::size_t pair = locate(triples.runs[run].pairs, left / runs_[run].unit,
                                    [&](std::size_t c) { return triple_weight(scan, run, c); });
    double weights[8], sum = 0;
    for (int signs = 0; signs < 8; ++signs) sum += weights[signs] = term(triples.sum(run, pair, signs));
    const std::size_t signs = locate(8, random.uniform() * sum, [&](std::size_t s) { return weights[s]; });
    return scan.columns.majority({static_cast<std::int32_t>(run), triples.first[pair], triples.second[pair]},
                                 static_cast<int>(signs));
}

// Adds up the 32 weights of each set of five.
void Draw::weigh_fives(const Scan& scan, double weight) {
    const Fives& fives = scan.fives;
    const std::size_t k = fives.part.size();
    const auto& quads = fives.sets->quads;
    fives_.assign(fives.blocks * 8, 0);
    quads_.resize(quads.size());
    for (std::size_t j = 0; j < quads.size(); ++j) {
        const auto& quad = quads[j];
        quads_[j] = (fives.favour[quad[0]] * fives.favour[quad[1]]) * (fives.favour[quad[2]] * fives.favour[quad[3]]);
    }
    if (cosh_) {
        for (std::size_t block = 0; block < fives.blocks; ++block) {
            double weights[8] = {};
            for (std::size_t s = 0; s < kSigns; ++s)
                for (std::size_t j = 0; j < 8; ++j)
                    weights[j] += cosh_[static_cast<std::size_t>(std::abs(fives.sums[(block * kSigns + s) * 8 + j]))];
            std::copy(weights, weights + 8, &fives_[8 * block]);
        }
    } else {
        for (std::size_t j = 0; j < fives.size; ++j)
            for (std::size_t s = 0; s < kSigns && fives.best[j] > least_; ++s)
                fives_[j] += term(fives.sum(j, s)) + term(-fives.sum(j, s));
    }
    double sum = 0;
    std::size_t set = 0;
    for (std::size_t a = 0; a + 4 < k; ++a) {
        const std::size_t n = sets_of_four(k - 1 - a);
        for (std::size_t j = 0; j < n; ++j, ++set) sum += fives_[set] *= fives.favour[a] * quads_[j];
    }
    const double unit = weight * unit_;
    five_ = {unit, unit * sum};
}

Gate Draw::pick_five(const Scan& scan, double left, Random& random) const {
    const Fives& fives = scan.fives;
    const std::size_t set = locate(fives.size, left / five_.unit, [&](std::size_t j) { return fives_[j]; });
    double weights[2 * kSigns], sum = 0;
    for (std::size_t s = 0; s < kSigns; ++s) {
        sum += weights[s] = term(fives.sum(set, s));
        sum += weights[2 * kSigns - 1 - s] = term(-fives.sum(set, s));
    }
    const std::size_t signs = locate(2 * kSigns, random.uniform() * sum, [&](std::size_t s) { return weights[s]; });
    return fives.majority(scan.columns, set, static_cast<int>(signs));
}

double Draw::xor_weight(const Xors& xors, std::size_t p, std::size_t q) const {
    const std::int32_t sum = std::abs(xors.sum(p, q, 1));
    return sum <= least_ ? 0 : xors.favour[q] * (term(sum) + term(-sum));
}

void Draw::weigh_xors(const Scan& scan, double weight) {
    const Xors& xors = scan.xors;
    all_xors_ = 0;
    xors_.resize(xors.runs());
    for (std::size_t p = 0; p < xors_.size(); ++p) {
        double sum = 0;
        for (std::size_t q = p + 1; q < xors.position.size(); ++q) sum += xor_weight(xors, p, q);
        xors_[p] = {weight * xors.favour[p], weight * xors.favour[p] * sum};
        all_xors_ += xors_[p].sum;
    }
}

Gate Draw::pick_xor(const Scan& scan, double left, Random& random) const {
    const Xors& xors = scan.xors;
    std::size_t p = 0;
    for (std::size_t k = 0; k < xors_.size(); ++k) {
        if (xors_[k].sum <= 0) continue;
        p = k;
        if (left < xors_[k].sum) break;
        left -= xors_[k].sum;
    }
    const std::size_t later = xors.position.size() - p - 1;
    const std::size_t q =
        p + 1 + locate(later, left / xors_[p].unit, [&](std::size_t k) { return xor_weight(xors, p, p + 1 + k); });
    const double up = term(xors.sum(p, q, 1)), down = term(xors.sum(p, q, -1));
    return xors.gate(p, q, random.uniform() * (up + down) < up ? 1 : -1);
}

}  // namespace boolearn::gates
