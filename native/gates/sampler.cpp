#include "sampler.h"

#include <algorithm>
#include <stdexcept>

namespace boolearn::gates {

Task::Task(Wiring given, int n_items, const std::uint8_t* in, const std::uint8_t* out)
    : wiring(std::move(given)), items(n_items), words((static_cast<std::size_t>(n_items) + 63) / 64),
      counting(&choose_counting()) {
    const auto packed = [&](const std::uint8_t* from, int columns) {
        std::vector<Word> bits(static_cast<std::size_t>(columns) * words);
        for (std::size_t i = 0; i < static_cast<std::size_t>(items); ++i)
            for (int c = 0; c < columns; ++c)
                if (from[i * columns + c]) bits[c * words + i / 64] |= Word(1) << (i % 64);
        return bits;
    };
    inputs = packed(in, wiring.n_inputs);
    targets = packed(out, wiring.n_outputs);
    const std::vector<std::uint8_t> ones(static_cast<std::size_t>(items), 1);
    mask = packed(ones.data(), 1);
    five.assign(static_cast<std::size_t>(wiring.n_neurons()), 0);
}

void Task::allow_five(const std::vector<char>& wanted) {
    five.resize(static_cast<std::size_t>(wiring.n_neurons()));
    for (int k = 0; k < wiring.n_neurons(); ++k) five[k] = wanted[k] && wiring.fan_in(k) >= 5;
}

Sampler::Sampler(std::shared_ptr<const Task> task, std::uint64_t seed, std::uint64_t stream)
    : random(seed, stream), task_(std::move(task)) {
    const Wiring& wiring = task_->wiring;
    const std::size_t nodes = static_cast<std::size_t>(wiring.n_nodes());
    value_.assign(nodes * task_->words, 0);
    other_.assign(nodes * task_->words, 0);
    differs_.assign(nodes, 0);
    fresh_.resize(task_->words);
    positive_.resize(task_->words);
    order_.resize(static_cast<std::size_t>(wiring.n_neurons()));
    prior.idle.assign(nodes, 0);
    if (task_->any_five())
        prior.share[kAndOr] = prior.share[kMaj] = prior.share[kMaj5] = (prior.share[kAndOr] + prior.share[kMaj]) / 3;
    readable_.assign(nodes, 0);
    for (std::int32_t node : wiring.sender) readable_[node] = node > 0 && node < wiring.first_output();
    std::copy(task_->inputs.begin(), task_->inputs.end(), value_.begin() + static_cast<std::ptrdiff_t>(task_->words));
    // Everything begins as a random copy: information reaches every layer from the start.
    std::vector<Gate> start(static_cast<std::size_t>(wiring.n_neurons()));
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const int m = wiring.fan_in(k);
        int at = static_cast<int>(random.below(static_cast<std::uint64_t>(m)));
        if (m > 1)
            while (wiring.senders(k)[at] == 0) at = static_cast<int>(random.below(static_cast<std::uint64_t>(m)));
        start[k].inputs[0] = at;
        start[k].signs[0] = random.bits() >> 63 ? 1 : -1;
    }
    set_gates(start);
}

Kind Sampler::kind(int neuron, const Gate& gate) const {
    const std::int32_t* senders = task_->wiring.senders(neuron);
    if (gate.size() == 1) return senders[gate.inputs[0]] == 0 ? kConstant : kCopy;
    if (gate.size() == 5) return kMaj5;
    for (int k = 0; k < 3; ++k)
        if (senders[gate.inputs[k]] == 0) return kAndOr;
    return kMaj;
}

int Sampler::count(Kind kind) const { return static_cast<int>(std::count(kinds_.begin(), kinds_.end(), kind)); }

void Sampler::evaluate(int neuron, const Gate& gate, const Word* values, Word* to) const {
    const std::size_t words = task_->words;
    const std::int32_t* senders = task_->wiring.senders(neuron);
    const Word* mask = task_->mask.data();
    const Word* a = values + static_cast<std::size_t>(senders[gate.inputs[0]]) * words;
    const Word flip_a = gate.signs[0] > 0 ? 0 : ~Word(0);
    if (gate.size() == 1) {
        for (std::size_t w = 0; w < words; ++w) to[w] = (a[w] ^ flip_a) & mask[w];
        return;
    }
    const Word* b = values + static_cast<std::size_t>(senders[gate.inputs[1]]) * words;
    const Word* c = values + static_cast<std::size_t>(senders[gate.inputs[2]]) * words;
    const Word flip_b = gate.signs[1] > 0 ? 0 : ~Word(0), flip_c = gate.signs[2] > 0 ? 0 : ~Word(0);
    if (gate.size() == 5) {
        const Word* d = values + static_cast<std::size_t>(senders[gate.inputs[3]]) * words;
        const Word* e = values + static_cast<std::size_t>(senders[gate.inputs[4]]) * words;
        const Word flip_d = gate.signs[3] > 0 ? 0 : ~Word(0), flip_e = gate.signs[4] > 0 ? 0 : ~Word(0);
        for (std::size_t w = 0; w < words; ++w)
            to[w] =
                majority_of_five(a[w] ^ flip_a, b[w] ^ flip_b, c[w] ^ flip_c, d[w] ^ flip_d, e[w] ^ flip_e) & mask[w];
        return;
    }
    for (std::size_t w = 0; w < words; ++w) {
        const Word x = a[w] ^ flip_a, y = b[w] ^ flip_b, z = c[w] ^ flip_c;
        to[w] = ((x & y) | (z & (x | y))) & mask[w];
    }
}

void Sampler::set_gates(const std::vector<Gate>& gates) {
    const Wiring& wiring = task_->wiring;
    if (gates.size() != static_cast<std::size_t>(wiring.n_neurons()))
        throw std::invalid_argument("one gate per neuron is needed");
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const Gate& gate = gates[k];
        for (int j = 0; j < gate.size(); ++j) {
            const bool rising = j == 0 || gate.inputs[j] > gate.inputs[j - 1];
            if (gate.inputs[j] < 0 || gate.inputs[j] >= wiring.fan_in(k) || !rising ||
                (gate.signs[j] != 1 && gate.signs[j] != -1))
                throw std::invalid_argument(
                    "a gate's inputs must be rising positions among its senders, its signs -1 or 1");
        }
        if (gate.size() == 3 && gate.inputs[2] < 0) throw std::invalid_argument("a gate has one input or three");
        if (gate.size() == 5 && !task_->five[k])
            throw std::invalid_argument("a neuron that may not be a majority of five must not be one");
    }
    gates_ = gates;
    kinds_.resize(gates.size());
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        kinds_[k] = kind(k, gates_[k]);
        evaluate(k, gates_[k], value_.data(),
                 &value_[static_cast<std::size_t>(wiring.first_neuron() + k) * task_->words]);
    }
    count_readers();
    recount();
}

// Needs forward_from(neuron) to have been the last pass. Nodes above follow where the neuron's value changes.
void Sampler::apply(int neuron, const Gate& gate) {
    const std::size_t words = task_->words;
    if (gate == gates_[neuron]) return;
    evaluate(neuron, gate, value_.data(), fresh_.data());
    const int self = task_->wiring.first_neuron() + neuron;
    Word any = 0;
    for (std::size_t w = 0; w < words; ++w) any |= fresh_[w] ^= value_[self * words + w];
    if (any)
        for (int node : changed_)
            for (std::size_t w = 0; w < words; ++w) {
                Word& now = value_[node * words + w];
                now ^= (now ^ other_[node * words + w]) & fresh_[w];
            }
    const std::int32_t* senders = task_->wiring.senders(neuron);
    for (int k = 0; k < gates_[neuron].size(); ++k) --readers_[senders[gates_[neuron].inputs[k]]];
    for (int k = 0; k < gate.size(); ++k) ++readers_[senders[gate.inputs[k]]];
    gates_[neuron] = gate;
    kinds_[neuron] = kind(neuron, gate);
    if (any) recount();
}

void Sampler::scan_neuron(int neuron, Scan& scan, double temperature) {
    compute_field(neuron, scan);
    choose_columns(neuron, scan, gates_[neuron]);
    favour_needed(scan);
    pack_field(scan);
    count_all(scan);
    count_five(scan);
    weigh(scan, temperature);
}

void Sampler::visit(int neuron, double temperature) {
    scan_neuron(neuron, scan_, temperature);
    apply(neuron, draw(scan_));
}

void Sampler::sweep(double temperature, bool until_right) {
    for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int>(k);
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.below(k)]);
    for (int neuron : order_) {
        if ((until_right && errors_ == 0) || stop.load(std::memory_order_relaxed)) return;
        visit(neuron, temperature);
    }
}

void Sampler::learn_shares(double belief) {
    double both = prior.share[kAndOr] + prior.share[kMaj];
    if (task_->any_five()) {
        int others = 0;
        for (std::size_t k = 0; k < kinds_.size(); ++k)
            others += task_->five[k] && (kinds_[k] == kAndOr || kinds_[k] == kMaj);
        const double all = both + prior.share[kMaj5];
        const double five = random.gamma(belief + count(kMaj5)), rest = random.gamma(2 * belief + others);
        prior.share[kMaj5] = all * five / (five + rest);
        both = all - prior.share[kMaj5];
    }
    const double first = random.gamma(belief + count(kAndOr)), second = random.gamma(belief + count(kMaj));
    prior.share[kAndOr] = both * first / (first + second);
    prior.share[kMaj] = both - prior.share[kAndOr];
}

double Sampler::share_of(int neuron, Kind kind) const {
    if (task_->five[neuron] || kind < kAndOr || prior.share[kMaj5] == 0) return prior.share[kind];
    const double both = prior.share[kAndOr] + prior.share[kMaj];
    return kind == kMaj5 ? 0 : prior.share[kind] * (both + prior.share[kMaj5]) / both;
}

}  // namespace boolearn::gates
