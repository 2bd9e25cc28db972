// What the errors say about one neuron: the weights v of the items.
#include "sampler.h"

#include <algorithm>

namespace boolearn::gates {

void Sampler::recount() {
    const std::size_t words = task_->words, outputs = static_cast<std::size_t>(task_->wiring.n_outputs);
    errors_ = weighted_ = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
        const Word *is = value(task_->wiring.first_output() + static_cast<int>(o)),
                   *wanted = &task_->targets[o * words];
        const std::int64_t wrong = task_->counting->differ(is, wanted, task_->mask.data(), words);
        errors_ += wrong;
        for (int k = 0; wrong && k < weight_planes_; ++k)
            weighted_ += task_->counting->differ(is, wanted, &weight_[(k * outputs + o) * words], words) << k;
    }
    if (!weight_planes_) weighted_ = errors_;
}

void Sampler::weigh_wrong_bits(int most) {
    const std::size_t words = task_->words, outputs = static_cast<std::size_t>(task_->wiring.n_outputs),
                      size = outputs * words;
    if (!weight_planes_) {
        weight_planes_ = 1;
        weight_.assign(size, 0);
        for (std::size_t j = 0; j < size; ++j) weight_[j] = task_->mask[j % words];
    }
    while ((1 << weight_planes_) <= most) ++weight_planes_;
    weight_.resize(static_cast<std::size_t>(weight_planes_) * size);
    for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t w = 0; w < words; ++w) {
            Word full = 0, equal = ~Word(0);  // the weight is above `most`, or equals it, as far as looked at
            for (int k = weight_planes_ - 1; k >= 0; --k) {
                const Word plane = weight_[k * size + o * words + w];
                if (most >> k & 1) {
                    equal &= plane;
                } else {
                    full |= equal & plane;
                    equal &= ~plane;
                }
            }
            full |= equal;
            Word carry =
                (value(task_->wiring.first_output() + static_cast<int>(o))[w] ^ task_->targets[o * words + w]) & ~full;
            for (int k = 0; k < weight_planes_ && carry; ++k) {
                Word& plane = weight_[k * size + o * words + w];
                const Word next = plane & carry;
                plane ^= carry;
                carry = next;
            }
        }
    recount();
}

void Sampler::ease_weights() {
    const std::size_t size = static_cast<std::size_t>(task_->wiring.n_outputs) * task_->words;
    for (std::size_t j = 0; weight_planes_ && j < size; ++j) {
        Word borrow = 0;  // the weights above 1
        for (int k = 1; k < weight_planes_; ++k) borrow |= weight_[k * size + j];
        for (int k = 0; k < weight_planes_ && borrow; ++k) {
            Word& plane = weight_[k * size + j];
            plane ^= borrow;
            borrow &= plane;
        }
    }
    recount();
}

void Sampler::clear_weights() {
    weight_planes_ = 0;
    weight_.clear();
    recount();
}

std::vector<std::uint8_t> Sampler::weights() const {
    const std::size_t words = task_->words, outputs = static_cast<std::size_t>(task_->wiring.n_outputs),
                      items = static_cast<std::size_t>(task_->items);
    std::vector<std::uint8_t> weights(outputs * items, weight_planes_ ? 0 : 1);
    for (std::size_t k = 0; k < static_cast<std::size_t>(weight_planes_); ++k)
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t i = 0; i < items; ++i)
                weights[o * items + i] |=
                    static_cast<std::uint8_t>((weight_[(k * outputs + o) * words + i / 64] >> (i % 64) & 1) << k);
    return weights;
}

void Sampler::set_weights(const std::uint8_t* weights) {
    const std::size_t words = task_->words, outputs = static_cast<std::size_t>(task_->wiring.n_outputs),
                      items = static_cast<std::size_t>(task_->items);
    const std::uint8_t most = *std::max_element(weights, weights + outputs * items);
    weight_planes_ = 0;
    while ((1 << weight_planes_) <= most) ++weight_planes_;
    weight_.assign(static_cast<std::size_t>(weight_planes_) * outputs * words, 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(weight_planes_); ++k)
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t i = 0; i < items; ++i)
                weight_[(k * outputs + o) * words + i / 64] |= Word(weights[o * items + i] >> k & 1) << (i % 64);
    recount();
}

// Fills other_ and changed_: what every node holds when the neuron holds the opposite.
void Sampler::forward_from(int neuron) {
    const Wiring& wiring = task_->wiring;
    const std::size_t words = task_->words;
    for (int node : changed_) differs_[node] = 0;
    changed_.clear();
    const int first = wiring.first_neuron() + neuron;
    for (std::size_t w = 0; w < words; ++w) other_[first * words + w] = value_[first * words + w] ^ task_->mask[w];
    differs_[first] = 1;
    changed_.push_back(first);
    for (int node = first + 1; node < wiring.n_nodes(); ++node) {
        const int k = node - wiring.first_neuron();
        const Gate& gate = gates_[k];
        const std::int32_t* senders = wiring.senders(k);
        const int size = gate.size();
        const Word* in[kMostInputs];
        bool reads = false;
        for (int j = 0; j < size; ++j) {
            const int from = senders[gate.inputs[j]];
            reads |= differs_[from] != 0;
            in[j] = (differs_[from] ? &other_[0] : &value_[0]) + from * words;
        }
        if (!reads) continue;
        Word* to = &other_[node * words];
        const Word* now = &value_[node * words];
        const Word flip_a = gate.signs[0] > 0 ? 0 : ~Word(0);
        Word change = 0;
        if (size == 1) {
            for (std::size_t w = 0; w < words; ++w) change |= (to[w] = (in[0][w] ^ flip_a) & task_->mask[w]) ^ now[w];
        } else if (size == 5) {
            Word flip[5];
            for (int j = 0; j < 5; ++j) flip[j] = gate.signs[j] > 0 ? 0 : ~Word(0);
            for (std::size_t w = 0; w < words; ++w) {
                to[w] = majority_of_five(in[0][w] ^ flip[0], in[1][w] ^ flip[1], in[2][w] ^ flip[2], in[3][w] ^ flip[3],
                                         in[4][w] ^ flip[4]) &
                        task_->mask[w];
                change |= to[w] ^ now[w];
            }
        } else {
            const Word flip_b = gate.signs[1] > 0 ? 0 : ~Word(0), flip_c = gate.signs[2] > 0 ? 0 : ~Word(0);
            for (std::size_t w = 0; w < words; ++w) {
                const Word x = in[0][w] ^ flip_a, y = in[1][w] ^ flip_b, z = in[2][w] ^ flip_c;
                to[w] = ((x & y) | (z & (x | y))) & task_->mask[w];
                change |= to[w] ^ now[w];
            }
        }
        if (change) {
            differs_[node] = 1;
            changed_.push_back(node);
        }
    }
}

// v in planes of bits: positive_ is its sign, magnitude_[k][word] bit k of |v|.
void Sampler::compute_field(int neuron, Scan& scan) {
    forward_from(neuron);
    const Wiring& wiring = task_->wiring;
    const std::size_t words = task_->words;
    const Word* c = value(wiring.first_neuron() + neuron);
    std::size_t first = changed_.size();
    while (first > 0 && changed_[first - 1] >= wiring.first_output()) --first;
    const std::size_t n = changed_.size() - first;
    const std::size_t outputs = static_cast<std::size_t>(wiring.n_outputs),
                      heaviest = (std::size_t(1) << std::max(weight_planes_, 1)) - 1;
    int planes = 0;
    while ((std::size_t(1) << planes) <= n * heaviest) ++planes;
    planes_ = n ? planes : 0;
    magnitude_.assign(static_cast<std::size_t>(planes_) * words, 0);
    const auto add = [](Word* counter, Word carry) {
        for (; carry; ++counter) {
            const Word next = *counter & carry;
            *counter ^= carry;
            carry = next;
        }
    };
    for (std::size_t w = 0; w < words; ++w) {
        Word plus[kMaxPlanes] = {}, minus[kMaxPlanes] = {};
        for (std::size_t j = first; j < changed_.size(); ++j) {
            const std::size_t node = static_cast<std::size_t>(changed_[j]),
                              o = node - static_cast<std::size_t>(wiring.first_output());
            const Word now = value_[node * words + w], change = now ^ other_[node * words + w];
            const Word wrong = now ^ task_->targets[o * words + w];
            const Word positive = c[w] ^ wrong;  // right now while holding +1, or wrong now while holding −1
            for (int k = 0; k < std::max(weight_planes_, 1); ++k) {
                const Word some = weight_planes_ ? change & weight_[(k * outputs + o) * words + w] : change;
                add(plus + k, some & positive);
                add(minus + k, some & ~positive);
            }
        }
        Word borrow = 0;
        for (int k = 0; k < planes_; ++k) {
            const Word a = plus[k], b = minus[k];
            plus[k] = a ^ b ^ borrow;
            borrow = (~a & (b | borrow)) | (b & borrow);
        }
        positive_[w] = ~borrow;
        Word carry = borrow;  // two's complement where negative
        for (int k = 0; k < planes_; ++k) {
            const Word bit = plus[k] ^ borrow;
            magnitude_[k * words + w] = bit ^ carry;
            carry &= bit;
        }
    }
    scan.neuron = neuron;
    scan.weight = 0;
    for (int k = 0; k < planes_; ++k)
        scan.weight += static_cast<std::int32_t>(
            task_->counting->bits(&magnitude_[static_cast<std::size_t>(k) * words], words) << k);
    // Σ v c is what there would be more in errors if every item flipped.
    scan.twice_mean = 2 * weighted_ + lean_on(c, scan.weight);
}

// Σ v a of values a.
std::int64_t Sampler::lean_on(const Word* values, std::int32_t weight) const {
    const std::size_t words = task_->words;
    std::int64_t against = 0;
    for (int k = 0; k < planes_; ++k)
        against +=
            task_->counting->differ(values, positive_.data(), &magnitude_[static_cast<std::size_t>(k) * words], words)
            << k;
    return weight - 2 * against;
}

}  // namespace boolearn::gates
