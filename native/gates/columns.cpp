// Where a neuron has many senders only a random part of them is considered. Triples that fit the data although none
// of their inputs does so by itself are rare, so a sender's chance to be in the part rises with |M1|, the correlation
// of the sender alone with what the items want. The chances depend on everything but the
// neuron's own gate; drawing the gate with weights divided by the chances of its inputs keeps detailed balance exactly:
// part and gate together are sampled from prior · exp(−errors / T) · P(part | gate), part and gate in turn.
#include "columns.h"

#include <algorithm>
#include <cmath>

namespace boolearn::gates {

// How large the part is on average, as a share of most_enumerated; and the share of the chances that is spread evenly.
constexpr double kPart = 0.7, kEvenly = 0.5;

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

void Columns::choose(const Circuit& circuit, const Field& field, int neuron, Random& random) {
    const Task& task = circuit.task();
    const int m = task.wiring.fan_in(neuron);
    const std::int32_t* senders = task.wiring.senders(neuron);
    const Gate& keep = circuit.gates()[neuron];
    const bool all = m <= task.most_enumerated;
    // Exclusive ors are considered whatever the part is, see xors.h.
    const bool keeps = keep.size() != 2;
    if (!all) {
        chance_.resize(static_cast<std::size_t>(m));
        for (int at = 0; at < m; ++at) {
            const double m1 = senders[at] == 0 ? 0 : static_cast<double>(field.m1_of(circuit.value(senders[at])));
            chance_[at] = m1 * m1;
        }
        spread_chances(chance_, kPart * task.most_enumerated);
    }
    position.clear();
    favour.clear();
    constant = false;
    for (int at = 0; at < m; ++at)
        if (senders[at] == 0) {
            position.push_back(at);
            favour.push_back(1);
            constant = true;
        }
    for (int at = 0; at < m; ++at) {
        if (senders[at] == 0) continue;
        if (!all && !(keeps && keep.reads(at)) && random.uniform() >= chance_[at]) continue;
        position.push_back(at);
        favour.push_back(all ? 1 : 1 / chance_[at]);
    }
}

// A candidate's weight is relative to a gate that reads none of the nodes which no other neuron reads.
double unread_favour(const Circuit& circuit, const Prior& prior, int neuron, int at) {
    const int node = circuit.task().wiring.senders(neuron)[at];
    const int others = circuit.readers(node) - (circuit.gates()[neuron].reads(at) ? 1 : 0);
    return circuit.readable(node) && others == 0 && prior.idle[node] > 0 ? std::exp(prior.idle[node]) : 1;
}

void Columns::favour_unread(const Circuit& circuit, const Prior& prior, int neuron) {
    double top[3] = {};
    for (std::size_t c = 0; c < size(); ++c) {
        favour[c] *= unread_favour(circuit, prior, neuron, position[c]);
        double least = std::log(favour[c]);
        for (double& value : top)
            if (least > value) std::swap(least, value);
    }
    most_favour = top[0] + top[1] + top[2];
}

Gate Columns::copy(std::size_t column, int sign) const {
    Gate gate;
    gate.inputs[0] = position[column];
    gate.signs[0] = static_cast<std::int8_t>(sign);
    return gate;
}

Gate Columns::majority(std::initializer_list<std::int32_t> columns, int signs) const {
    Gate gate;
    int k = 0;
    for (std::int32_t column : columns) {
        gate.inputs[k] = position[static_cast<std::size_t>(column)];
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

}  // namespace boolearn::gates
