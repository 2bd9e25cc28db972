// The candidates of one neuron: their sums, their weights, and the draw among them.
#include "sampler.h"

#include <algorithm>
#include <cmath>

namespace boolearn::gates {

void Sampler::pack_field(Scan& scan) {
    const std::size_t words = task_->words, n = scan.columns.size(), stride = round_up(n);
    scan.shift.clear();
    scan.packed.assign(static_cast<std::size_t>(planes_) * words * stride, 0);
    scan.sign.assign(static_cast<std::size_t>(planes_) * words, 0);
    const std::int32_t* senders = task_->wiring.senders(scan.neuron);
    std::size_t filled = 0;
    for (int k = 0; k < planes_; ++k) {
        const Word* mask = &magnitude_[static_cast<std::size_t>(k) * words];
        if (std::all_of(mask, mask + words, [](Word word) { return word == 0; })) continue;
        const std::size_t end = task_->counting->pack(positive_.data(), mask, words, scan.sign.data(), 1, filled);
        for (std::size_t c = 0; c < n; ++c)
            task_->counting->pack(value(senders[scan.columns[c]]), mask, words, scan.packed.data() + c, stride, filled);
        filled = (end + 63) / 64 * 64;
        scan.shift.resize(filled / 64, static_cast<std::uint8_t>(k));
    }
}

void Sampler::count_all(Scan& scan) {
    const Counting& counting = *task_->counting;
    const std::size_t n = scan.columns.size(), stride = round_up(n), words = scan.shift.size();
    scan.m1.resize(stride);
    counting.count(scan.sign.data(), scan.packed.data(), stride, scan.shift.data(), words, n, scan.m1.data());
    scan.most = 0;
    for (std::size_t c = 0; c < n; ++c) {
        scan.m1[c] = scan.weight - 2 * scan.m1[c];
        scan.most = std::max(scan.most, 2 * std::abs(scan.m1[c]));
    }
    if (scan.runs.size() != (n < 3 ? 0 : n - 2)) {
        scan.first.clear();
        scan.second.clear();
        for (std::size_t q = n < 3 ? 0 : n - 2; q > 0; --q)
            for (std::size_t r = q + 1; r < n; ++r) {
                scan.first.push_back(static_cast<std::int32_t>(q));
                scan.second.push_back(static_cast<std::int32_t>(r));
            }
        scan.runs.clear();
        std::size_t at = 0;
        for (std::size_t p = 0; p + 2 < n; ++p) {
            const std::size_t pairs = (n - 1 - p) * (n - 2 - p) / 2;
            scan.runs.push_back({at, pairs, 0, 0, 0});
            at += round_up(pairs);
        }
        scan.m3.resize(at);
        scan.best.resize(at);
    }
    const std::size_t pairs = scan.first.size(), columns = round_up(pairs);
    scan.same.resize(columns);
    scan.other.resize(columns);
    for (std::size_t c = 0; c < pairs; ++c) {
        const std::int32_t q = scan.m1[scan.first[c]], r = scan.m1[scan.second[c]];
        scan.same[c] = std::abs(q + r);
        scan.other[c] = std::abs(q - r);
    }
    scan.pairs.resize(words * columns);
    for (std::size_t w = 0; w < words; ++w) {
        const Word* from = &scan.packed[w * stride];
        Word* to = &scan.pairs[w * columns];
        for (std::size_t q = n < 3 ? 0 : n - 2; q > 0; --q)
            for (std::size_t r = q + 1; r < n; ++r) *to++ = from[q] ^ from[r];
    }
    scan.row.resize(words);
    for (std::size_t p = 0; p < scan.runs.size(); ++p) {
        Run& run = scan.runs[p];
        for (std::size_t w = 0; w < words; ++w) scan.row[w] = scan.sign[w] ^ scan.packed[w * stride + p];
        counting.count(scan.row.data(), scan.pairs.data(), columns, scan.shift.data(), words, run.pairs,
                       &scan.m3[run.at]);
        run.most = counting.score(scan.m1[p], scan.same.data(), scan.other.data(), scan.weight, run.pairs,
                                  &scan.m3[run.at], &scan.best[run.at]);
        scan.most = std::max(scan.most, run.most);
    }
}

double Sampler::gate_weight(const Scan& scan, Kind kind, double temperature) const {
    const double m = task_->wiring.fan_in(scan.neuron) - (scan.constant ? 1 : 0);
    const double all = task_->wiring.fan_in(scan.neuron);
    const double gates[kKinds] = {2, 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) / 3,
                                  4 * all * (all - 1) * (all - 2) * (all - 3) * (all - 4) / 15};
    const double price = kind >= kAndOr ? std::exp(-prior.price / temperature) : 1;
    return share_of(scan.neuron, kind) / gates[kind] * price;
}

// Below e^-36 of the best candidate's weight nothing is counted: at most some 10^-10 of the whole.
constexpr double kNothing = 36;
// Up to here products of hyperbolic cosines are far from overflow.
constexpr double kMostExponent = 300;

void Sampler::set_temperature(double temperature) {
    if (temperature == temperature_) return;
    temperature_ = temperature;
    // The inputs of a majority of five may be rarer still, by the chance to be in the part of five.cpp.
    const double favour = task_->any_five() ? 5 * (kMostFavour + 4) : 3 * kMostFavour;
    const std::size_t most = static_cast<std::size_t>((kNothing + favour) * temperature) + 1;
    boltzmann_.resize(most + 2);
    for (std::size_t j = 0; j <= most; ++j) boltzmann_[j] = std::exp(-static_cast<double>(j) / temperature);
    boltzmann_[most + 1] = 0;
    cosh_.clear();
}

// exp((sum − most) / 4T) for the sum of a candidate.
double Sampler::term(const Scan& scan, std::int32_t sum) const {
    return boltzmann_[std::min((scan.most - sum) >> 2, static_cast<std::int32_t>(boltzmann_.size()) - 1)];
}

// The eight choices of signs give the sums ±same ±u and ±other ±v, u = m_p − m3, v = m_p + m3.
double Sampler::triple_weight(const Scan& scan, std::size_t p, std::size_t pair) const {
    const std::int32_t m3 = scan.m3[scan.runs[p].at + pair], same = scan.same[pair], other = scan.other[pair];
    const std::int32_t u = std::abs(scan.m1[p] - m3), v = std::abs(scan.m1[p] + m3);
    if (scan.closed) return scan.same_weight[pair] * cosh_[u] + scan.other_weight[pair] * cosh_[v];
    if (scan.best[scan.runs[p].at + pair] <= scan.least) return 0;
    const double favour = scan.favour[scan.first[pair]] * scan.favour[scan.second[pair]];
    return favour *
           (((term(scan, same + u) + term(scan, same - u)) + (term(scan, u - same) + term(scan, -same - u))) +
            ((term(scan, other + v) + term(scan, other - v)) + (term(scan, v - other) + term(scan, -other - v))));
}

void Sampler::weigh(Scan& scan, double temperature) {
    set_temperature(temperature);
    const std::size_t n = scan.columns.size(), pairs = scan.first.size();
    scan.least = scan.most - 4 * (static_cast<std::int32_t>((kNothing + scan.most_favour) * temperature) + 2);
    double weight[kKinds];
    for (int k = 0; k < kKinds; ++k) weight[k] = gate_weight(scan, static_cast<Kind>(k), temperature);
    scan.copies.resize(n);
    scan.total = 0;
    for (std::size_t c = 0; c < n; ++c) {
        scan.copies[c] = weight[c == 0 && scan.constant ? kConstant : kCopy] * scan.favour[c] *
                         (term(scan, 2 * scan.m1[c]) + term(scan, -2 * scan.m1[c]));
        scan.total += scan.copies[c];
    }
    // Where many candidates matter, the eight terms are summed in closed form,
    // 4 cosh(same) cosh(u) + 4 cosh(other) cosh(v); else few matter, and those are looked at one by one.
    const double scale = 1 / (4 * temperature), exponent = scan.most * scale;
    scan.closed = exponent < kMostExponent;
    double unit = 1;
    if (scan.closed) {
        unit = std::exp(-exponent);
        for (std::size_t j = cosh_.size(); j <= static_cast<std::size_t>(2 * scan.weight); ++j)
            cosh_.push_back(2 * std::cosh(std::min(static_cast<double>(j) * scale, 2 * kMostExponent)));
        scan.same_weight.resize(pairs);
        scan.other_weight.resize(pairs);
        for (std::size_t c = 0; c < pairs; ++c) {
            const double favour = scan.favour[scan.first[c]] * scan.favour[scan.second[c]];
            scan.same_weight[c] = favour * cosh_[scan.same[c]];
            scan.other_weight[c] = favour * cosh_[scan.other[c]];
        }
    }
    for (std::size_t p = 0; p < scan.runs.size(); ++p) {
        Run& run = scan.runs[p];
        run.sum = 0;
        if (run.most <= scan.least) continue;
        double sum = 0;
        if (scan.closed) {
            const std::int32_t m_p = scan.m1[p];
            const std::int32_t* m3 = &scan.m3[run.at];
            const double *same = scan.same_weight.data(), *other = scan.other_weight.data(), *cosh = cosh_.data();
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
                if (scan.best[run.at + c] > scan.least) sum += triple_weight(scan, p, c);
        }
        run.unit = weight[p == 0 && scan.constant ? kAndOr : kMaj] * scan.favour[p] * unit;
        run.sum = run.unit * sum;
        scan.total += run.sum;
    }
    if (scan.fives.size) scan.total += weigh_five(scan, weight[kMaj5], unit);
}

Gate Sampler::draw(const Scan& scan) {
    Gate gate;
    // Rounding may leave a crumb at the end of a list; then the last candidate with any weight is taken.
    double left = random.uniform() * scan.total;
    std::size_t copy = 0, p = 0, pair = 0;
    bool copied = false, found = false;
    for (std::size_t c = 0; c < scan.columns.size() && !found; ++c) {
        if (scan.copies[c] <= 0) continue;
        copy = c;
        copied = true;
        found = left < scan.copies[c];
        if (!found) left -= scan.copies[c];
    }
    for (std::size_t k = 0; k < scan.runs.size() && !found; ++k) {
        if (scan.runs[k].sum <= 0) continue;
        p = k;
        copied = false;
        found = left < scan.runs[k].sum;
        if (!found) left -= scan.runs[k].sum;
    }
    if (!found && scan.fives.size && scan.fives.sum > 0) return draw_five(scan, left);
    if (copied) {
        const double up = term(scan, 2 * scan.m1[copy]), down = term(scan, -2 * scan.m1[copy]);
        gate.inputs[0] = scan.columns[copy];
        gate.signs[0] = random.uniform() * (up + down) < up ? 1 : -1;
        return gate;
    }
    left /= scan.runs[p].unit;
    found = false;
    for (std::size_t c = 0; c < scan.runs[p].pairs && !found; ++c) {
        const double w = triple_weight(scan, p, c);
        if (w <= 0) continue;
        pair = c;
        found = left < w;
        left -= w;
    }
    const std::int32_t q = scan.first[pair], r = scan.second[pair], m3 = scan.m3[scan.runs[p].at + pair];
    double weights[8], sum = 0;
    for (int signs = 0; signs < 8; ++signs) {
        const int s[3] = {signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1};
        weights[signs] =
            term(scan, s[0] * scan.m1[p] + s[1] * scan.m1[q] + s[2] * scan.m1[r] - s[0] * s[1] * s[2] * m3);
        sum += weights[signs];
    }
    left = random.uniform() * sum;
    int chosen = 0;
    found = false;
    for (int signs = 0; signs < 8 && !found; ++signs) {
        if (weights[signs] <= 0) continue;
        chosen = signs;
        found = left < weights[signs];
        left -= weights[signs];
    }
    return make_majority(scan, {static_cast<std::int32_t>(p), q, r}, chosen);
}

// Bit k of the signs is set where input k has the sign −1.
Gate Sampler::make_majority(const Scan& scan, std::initializer_list<std::int32_t> columns, int signs) {
    Gate gate;
    int k = 0;
    for (std::int32_t column : columns) {
        gate.inputs[k] = scan.columns[static_cast<std::size_t>(column)];
        gate.signs[k] = signs >> k & 1 ? -1 : 1;
        ++k;
    }
    // The constant stands first among the columns, whatever its place among the senders.
    for (k = 0; k + 1 < static_cast<int>(columns.size()); ++k)
        if (gate.inputs[k] > gate.inputs[k + 1]) {
            std::swap(gate.inputs[k], gate.inputs[k + 1]);
            std::swap(gate.signs[k], gate.signs[k + 1]);
        }
    return gate;
}

std::vector<std::pair<Gate, std::int64_t>> Sampler::candidates(int neuron) {
    compute_field(neuron, scan_);
    choose_columns(neuron, scan_, gates_[neuron]);
    pack_field(scan_);
    count_all(scan_);
    count_five(scan_);
    std::vector<std::pair<Gate, std::int64_t>> all;
    for (std::size_t c = 0; c < scan_.columns.size(); ++c)
        for (int s : {1, -1}) {
            Gate gate;
            gate.inputs[0] = scan_.columns[c];
            gate.signs[0] = static_cast<std::int8_t>(s);
            all.emplace_back(gate, errors_of(scan_, 2 * s * scan_.m1[c]));
        }
    for (std::size_t p = 0; p < scan_.runs.size(); ++p)
        for (std::size_t c = 0; c < scan_.runs[p].pairs; ++c)
            for (int signs = 0; signs < 8; ++signs) {
                const int s[3] = {signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1};
                const std::int32_t q = scan_.first[c], r = scan_.second[c], m3 = scan_.m3[scan_.runs[p].at + c];
                const std::int32_t sum =
                    s[0] * scan_.m1[p] + s[1] * scan_.m1[q] + s[2] * scan_.m1[r] - s[0] * s[1] * s[2] * m3;
                all.emplace_back(make_majority(scan_, {static_cast<std::int32_t>(p), q, r}, signs),
                                 errors_of(scan_, sum));
            }
    list_fives(scan_, all);
    return all;
}

}  // namespace boolearn::gates
