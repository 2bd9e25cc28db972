#include "xors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace boolearn::gates {

// How large the part is on average, as a share of most_paired.
constexpr double kPartOfPairs = 0.8;

void Xors::count(const Circuit& circuit, const Prior& prior, const Field& field, int neuron, const Columns& columns,
                 Packed& of_columns, Random& random) {
    const Task& task = circuit.task();
    position.clear();
    favour.clear();
    most = 0;
    most_favour = 0;
    if (!task.xors) return;
    const std::int32_t* senders = task.wiring.senders(neuron);
    const int m = task.wiring.fan_in(neuron);
    const Gate& keep = circuit.gates()[neuron];
    const double chance = m <= task.most_paired ? 1 : kPartOfPairs * task.most_paired / m;
    double top[2] = {};
    for (int at = 0; at < m; ++at) {
        const bool kept = keep.size() == 2 && keep.reads(at);
        if (senders[at] == 0 || (chance < 1 && !kept && random.uniform() >= chance)) continue;
        position.push_back(at);
        favour.push_back(unread_favour(circuit, prior, neuron, at) / chance);
        double least = std::log(favour.back());
        for (double& value : top)
            if (least > value) std::swap(least, value);
    }
    most_favour = top[0] + top[1];
    const std::size_t n = position.size();
    if (n < 2) return;
    // The constant, if there, is the first column; what follows is what was chosen here.
    const bool same = columns.size() == static_cast<std::size_t>(m) && chance == 1;
    const std::size_t first = same && columns.constant ? 1 : 0;
    if (!same) own_.pack(circuit, field, neuron, position);
    Packed& packed = same ? of_columns : own_;
    stride = packed.stride;
    x.resize(n * stride);
    for (std::size_t p = 0; p + 1 < n; ++p) {
        const std::size_t begin = (first + p + 1) / 8 * 8;
        std::int32_t* to = &x[p * stride];
        task.counting->count(packed.row(first + p), packed.values.data() + begin, packed.stride, packed.shift.data(),
                             packed.words(), first + n - begin, to + begin);
        for (std::size_t q = p + 1; q < n; ++q) {
            to[q] = field.weight - 2 * to[first + q];
            most = std::max(most, 2 * std::abs(to[q]));
        }
    }
}

Gate Xors::gate(std::size_t p, std::size_t q, int sign) const {
    Gate gate;
    gate.inputs[0] = position[p];
    gate.inputs[1] = position[q];
    gate.signs[0] = static_cast<std::int8_t>(sign);
    return gate;
}

}  // namespace boolearn::gates
