// What it costs to leave a node unread, and how that is learned.
//
// Gates drawn one by one leave some nodes unread by chance, node p with a probability of about
// ρ₀(p) = Π_q (1 − r / m_q) over the neurons q that receive it, m_q their fan-in and r the reads of a gate on
// average. Circuits that mean something may leave far fewer. Say every node is unread with the same
// probability ρ instead: with λ(p) = logit(1 − ρ) − logit(1 − ρ₀(p)), weights times exp(−λ) for an unread node turn
// the one probability into the other. ρ is sampled along with the circuit, all values being as likely beforehand,
// once for the inputs, which need not all matter, and once for the neurons.
#include <algorithm>
#include <cmath>

#include "prior.h"

namespace boolearn::gates {

namespace {

// How many of the nodes that could be read are not, inputs and neurons apart.
struct Unread {
    explicit Unread(const Circuit& circuit) {
        const Wiring& wiring = circuit.task().wiring;
        for (int node = 1; node < wiring.first_output(); ++node) {
            if (!circuit.readable(node)) continue;
            const int group = node >= wiring.first_neuron();
            ++readable[group];
            unread[group] += circuit.readers(node) == 0;
        }
    }
    int unread[2] = {}, readable[2] = {};
};

}  // namespace

void Prior::learn_idle(const Circuit& circuit, Random& random) {
    const Task& task = circuit.task();
    const Wiring& wiring = task.wiring;
    const Unread nodes(circuit);
    double logit[2];  // of 1 − ρ
    for (int group = 0; group < 2; ++group) {
        const double read = random.gamma(1.0 + nodes.readable[group] - nodes.unread[group]);
        logit[group] = std::log(read / random.gamma(1.0 + nodes.unread[group]));
    }
    std::vector<double> log_chance(idle.size(), 0);  // ln ρ₀
    for (int k = 0; k < wiring.n_neurons(); ++k) {
        const std::int32_t* senders = wiring.senders(k);
        const int m = wiring.fan_in(k);
        const auto constants = std::count(senders, senders + m, 0);
        const double reads =
            share[kCopy] + 2 * share_of(kAndOr, task.five[k]) + 3 * share_of(kMaj, task.five[k]) + 2 * share[kXor];
        // Of the inputs of a majority of five the constant may be one, as likely as any other sender.
        const double of_fives = task.five[k] ? 5 * share[kMaj5] / m : 0;
        const double missed = std::log1p(-std::min(reads / std::max<double>(1, m - constants) + of_fives, 0.99));
        for (int j = 0; j < m; ++j) log_chance[senders[j]] += missed;
    }
    for (int node = 1; node < wiring.first_output(); ++node) {
        if (!circuit.readable(node)) continue;
        const double chance = std::exp(log_chance[node]);
        const double excess = logit[node >= wiring.first_neuron()] - (std::log1p(-chance) - log_chance[node]);
        idle[node] = std::clamp(excess, 0.0, kMostIdle);
    }
}

}  // namespace boolearn::gates
