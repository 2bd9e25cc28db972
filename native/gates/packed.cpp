#include "packed.h"

#include <algorithm>

namespace boolearn::gates {

void Packed::pack(const Circuit& circuit, const Field& field, int neuron, const std::vector<std::int32_t>& position) {
    const Task& task = circuit.task();
    const std::size_t n = position.size(), in_plane = task.words;
    const std::int32_t* senders = task.wiring.senders(neuron);
    stride = round_up(n);
    shift.clear();
    values.resize(static_cast<std::size_t>(field.planes) * in_plane * stride);
    sign.assign(static_cast<std::size_t>(field.planes) * in_plane, 0);
    std::size_t filled = 0;
    for (int k = 0; k < field.planes; ++k) {
        const Word* mask = field.plane(k);
        if (std::all_of(mask, mask + in_plane, [](Word word) { return word == 0; })) continue;
        const std::size_t end = task.counting->pack(field.positive.data(), mask, in_plane, sign.data(), 1, filled);
        // Few of the words there is room for are used, and only these must be zero before.
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(filled / 64 * stride),
                  values.begin() + static_cast<std::ptrdiff_t>((end + 63) / 64 * stride), 0);
        for (std::size_t c = 0; c < n; ++c)
            task.counting->pack(circuit.value(senders[position[c]]), mask, in_plane, values.data() + c, stride, filled);
        filled = (end + 63) / 64 * 64;
        shift.resize(filled / 64, static_cast<std::uint8_t>(k));
    }
}

const Word* Packed::row(std::size_t column) {
    const std::size_t n = words(), step = stride;
    row_.resize(n);
    Word* to = row_.data();
    const Word *signs = sign.data(), *from = values.data() + column;
    for (std::size_t w = 0; w < n; ++w, from += step) to[w] = signs[w] ^ *from;
    return to;
}

}  // namespace boolearn::gates
