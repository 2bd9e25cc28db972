#include "prior.h"

#include <algorithm>
#include <cmath>

namespace boolearn::gates {

Prior::Prior(const Task& task) : idle(static_cast<std::size_t>(task.wiring.n_nodes()), 0) {
    const bool five = task.any_five();
    if (!five && !task.xors) return;
    share[kAndOr] = share[kMaj] = (share[kAndOr] + share[kMaj]) / (2 + five + task.xors);
    if (five) share[kMaj5] = share[kMaj];
    if (task.xors) share[kXor] = share[kMaj];
}

double Prior::share_of(Kind kind, bool may_be_five) const {
    if (may_be_five || kind < kAndOr || kind == kXor || share[kMaj5] == 0) return share[kind];
    const double both = share[kAndOr] + share[kMaj];
    return kind == kMaj5 ? 0 : share[kind] * (both + share[kMaj5]) / both;
}

double Prior::gate_weight(Kind kind, const Task& task, int neuron, double temperature) const {
    const std::int32_t *senders = task.wiring.senders(neuron), *end = senders + task.wiring.fan_in(neuron);
    const double all = task.wiring.fan_in(neuron), m = all - (std::find(senders, end, 0) != end ? 1 : 0);
    const double gates[kKinds] = {2,
                                  2 * m,
                                  4 * m * (m - 1),
                                  4 * m * (m - 1) * (m - 2) / 3,
                                  4 * all * (all - 1) * (all - 2) * (all - 3) * (all - 4) / 15,
                                  m * (m - 1)};
    const double cost = kind >= kAndOr ? std::exp(-price / temperature) : 1;
    return share_of(kind, task.five[neuron]) / gates[kind] * cost;
}

void Prior::learn_shares(const Circuit& circuit, Random& random, double belief) {
    if (circuit.task().xors) {
        const int others = circuit.count(kAndOr) + circuit.count(kMaj) + circuit.count(kMaj5);
        const double one = random.gamma(belief + circuit.count(kXor));
        const double rest = random.gamma((circuit.task().any_five() ? 3 : 2) * belief + others);
        const double before = share[kAndOr] + share[kMaj] + share[kMaj5], all = before + share[kXor];
        share[kXor] = all * one / (one + rest);
        for (Kind kind : {kAndOr, kMaj, kMaj5}) share[kind] *= (all - share[kXor]) / before;
    }
    double both = share[kAndOr] + share[kMaj];
    if (const Task& task = circuit.task(); task.any_five()) {
        int others = 0;
        for (std::size_t k = 0; k < circuit.kinds().size(); ++k)
            others += task.five[k] && (circuit.kinds()[k] == kAndOr || circuit.kinds()[k] == kMaj);
        const double all = both + share[kMaj5];
        const double five = random.gamma(belief + circuit.count(kMaj5)), rest = random.gamma(2 * belief + others);
        share[kMaj5] = all * five / (five + rest);
        both = all - share[kMaj5];
    }
    const double first = random.gamma(belief + circuit.count(kAndOr));
    const double second = random.gamma(belief + circuit.count(kMaj));
    share[kAndOr] = both * first / (first + second);
    share[kMaj] = both - share[kAndOr];
}

}  // namespace boolearn::gates
