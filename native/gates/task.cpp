#include "task.h"

namespace boolearn::gates {

Task::Task(Wiring given, int n_items, const std::uint8_t* in, const std::uint8_t* out, const std::uint8_t* open)
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
    for (int o = 0; o < wiring.n_outputs; ++o) counted.insert(counted.end(), mask.begin(), mask.end());
    if (open) {
        const std::vector<Word> left_open = packed(open, wiring.n_outputs);
        for (std::size_t j = 0; j < counted.size(); ++j) counted[j] &= ~left_open[j];
        any_open = std::any_of(left_open.begin(), left_open.end(), [](Word bits) { return bits != 0; });
    }
    five.assign(static_cast<std::size_t>(wiring.n_neurons()), 0);
}

void Task::allow_five(const std::vector<char>& wanted) {
    five.resize(static_cast<std::size_t>(wiring.n_neurons()));
    for (int k = 0; k < wiring.n_neurons(); ++k) five[k] = wanted[k] && wiring.fan_in(k) >= 5;
}

}  // namespace boolearn::gates
