// What it costs to leave a node unread, and how the sampler learns it.
//
// Gates drawn one by one leave some nodes unread by chance, node p with a probability of about
// ρ₀(p) = Π_q (1 − r / m_q) over the neurons q that receive it, m_q their fan-in and r the reads of a gate on
// average. Circuits that mean something may leave far fewer. Say every node is unread with the same
// probability ρ instead: with λ(p) = logit(1 − ρ) − logit(1 − ρ₀(p)), weights times exp(−λ) for an unread node turn
// the one probability into the other. ρ is sampled along with the circuit, all values being as likely beforehand,
// once for the inputs, which need not all matter, and once for the neurons.
#include <algorithm>
#include <cmath>

#include "sampler.h"

namespace boolearn::gates {

void Sampler::count_readers() {
    const Wiring& wiring = task_->wiring;
    readers_.assign(static_cast<std::size_t>(wiring.n_nodes()), 0);
    for (int k = 0; k < wiring.n_neurons(); ++k)
        for (int j = 0; j < gates_[k].size(); ++j) ++readers_[wiring.senders(k)[gates_[k].inputs[j]]];
}

// A candidate's weight is taken relative to the gate that reads none of the nodes which only this neuron can save.
void Sampler::favour_needed(Scan& scan) {
    const std::int32_t* senders = task_->wiring.senders(scan.neuron);
    const Gate& gate = gates_[scan.neuron];
    double top[3] = {};
    for (std::size_t c = 0; c < scan.columns.size(); ++c) {
        const int at = scan.columns[c], node = senders[at];
        int others = readers_[node];
        for (int k = 0; k < gate.size(); ++k) others -= gate.inputs[k] == at;
        if (readable_[node] && others == 0 && prior.idle[node] > 0) scan.favour[c] *= std::exp(prior.idle[node]);
        double least = std::log(scan.favour[c]);
        for (double& value : top)
            if (least > value) std::swap(least, value);
    }
    scan.most_favour = top[0] + top[1] + top[2];
}

void Sampler::count_unread(int unread[2], int could[2]) const {
    const Wiring& wiring = task_->wiring;
    unread[0] = unread[1] = could[0] = could[1] = 0;
    for (int node = 1; node < wiring.first_output(); ++node) {
        if (!readable_[node]) continue;
        const int group = node >= wiring.first_neuron();
        ++could[group];
        unread[group] += readers_[node] == 0;
    }
}

void Sampler::learn_idle() {
    const Wiring& wiring = task_->wiring;
    int unread[2], could[2];
    count_unread(unread, could);
    double logit[2];  // of 1 − ρ
    for (int group = 0; group < 2; ++group) {
        const double read = random.gamma(1.0 + could[group] - unread[group]);
        logit[group] = std::log(read / random.gamma(1.0 + unread[group]));
    }
    std::vector<double> log_chance(prior.idle.size(), 0);  // ln ρ₀
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const std::int32_t* senders = wiring.senders(k);
        const int m = wiring.fan_in(k);
        const auto constants = std::count(senders, senders + m, 0);
        const double reads = prior.share[kCopy] + 2 * share_of(k, kAndOr) + 3 * share_of(k, kMaj);
        // Of the inputs of a majority of five the constant may be one, as likely as any other sender.
        const double of_fives = task_->five[k] ? 5 * prior.share[kMaj5] / m : 0;
        const double missed = std::log1p(-std::min(reads / std::max<double>(1, m - constants) + of_fives, 0.99));
        for (int j = 0; j < m; ++j) log_chance[senders[j]] += missed;
    }
    for (int node = 1; node < wiring.first_output(); ++node) {
        if (!readable_[node]) continue;
        const double chance = std::exp(log_chance[node]);
        const double excess = logit[node >= wiring.first_neuron()] - (std::log1p(-chance) - log_chance[node]);
        prior.idle[node] = std::clamp(excess, 0.0, kMostIdle);
    }
}

}  // namespace boolearn::gates
