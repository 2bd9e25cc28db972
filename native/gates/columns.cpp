// Which senders a neuron looks at.
//
// All of them, or, where they are many, a random part that contains the present gate's. Triples that are right without
// any of their inputs saying something by itself are rare, so a sender is the likelier to be in the part the more the
// items lean on it alone: |M1|. The chances depend on everything but the neuron's own gate; drawing the gate with
// weights divided by the chances of its inputs keeps detailed balance exactly: part and gate together are sampled
// from prior · exp(−errors / T) · P(part | gate), part and gate in turn.
#include <algorithm>

#include "sampler.h"

namespace boolearn::gates {

// Of the senders that could all be looked at, a part has this share; and of a part, this share is dealt out evenly.
constexpr double kPart = 0.7, kEvenly = 0.5;

// Chances that add up to `wanted`: a part alike for all, the rest in proportion to the square of M1, none above one.
void spread_chances(std::vector<double>& chance, double wanted) {
    const int m = static_cast<int>(chance.size());
    const double least = kEvenly * wanted / m;
    double scale = 0;
    for (int certain = 0, before = -1; certain != before;) {
        before = certain;
        certain = 0;
        double sum = 0;
        for (int at = 0; at < m; ++at) {
            if (scale > 0 && least + scale * chance[at] >= 1)
                ++certain;
            else
                sum += chance[at];
        }
        if (!(sum > 0)) break;
        scale = std::max(scale, (wanted - certain - least * (m - certain)) / sum);
    }
    for (double& c : chance) c = scale > 0 ? std::min(1.0, least + scale * c) : wanted / m;
}

void Sampler::set_chances(const Scan& scan, double wanted) {
    const int m = task_->wiring.fan_in(scan.neuron);
    const std::int32_t* senders = task_->wiring.senders(scan.neuron);
    chance_.resize(static_cast<std::size_t>(m));
    for (int at = 0; at < m; ++at) {
        const double lean = senders[at] == 0 ? 0 : static_cast<double>(lean_on(value(senders[at]), scan.weight));
        chance_[at] = lean * lean;
    }
    spread_chances(chance_, wanted);
}

void Sampler::choose_columns(int neuron, Scan& scan, const Gate& keep) {
    const Wiring& wiring = task_->wiring;
    const int m = wiring.fan_in(neuron);
    const std::int32_t* senders = wiring.senders(neuron);
    const bool all = m <= task_->most_enumerated;
    if (!all) set_chances(scan, kPart * task_->most_enumerated);
    scan.columns.clear();
    scan.favour.clear();
    scan.constant = false;
    for (int at = 0; at < m; ++at)
        if (senders[at] == 0) {
            scan.columns.push_back(at);
            scan.favour.push_back(1);
            scan.constant = true;
        }
    for (int at = 0; at < m; ++at) {
        if (senders[at] == 0) continue;
        if (!all) {
            bool kept = false;
            for (int k = 0; k < keep.size(); ++k) kept |= keep.inputs[k] == at;
            if (!kept && random.uniform() >= chance_[at]) continue;
        }
        scan.columns.push_back(at);
        scan.favour.push_back(all ? 1 : 1 / chance_[at]);
    }
}

}  // namespace boolearn::gates
