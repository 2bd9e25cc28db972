// What an engine is given to solve, and a point of its search, in the caller's plain order.
#pragma once

#include <cstdint>
#include <vector>

#include "network.h"

namespace boolearn {

struct Problem {
    Network network;
    std::vector<double> margins;  // [neuron]
    InputMode input_mode;
    std::int64_t items;
    std::vector<double> inputs;                      // [item][input], empty when the inputs are free
    std::vector<signed char> outputs;                // [item][output], -1 or +1
    std::int64_t output_flips = 0, input_flips = 0;  // how many bits may be held flipped
};

struct Point {
    std::vector<double> w, x;  // [item][edge]
    std::vector<double> y;     // [item][node]
    std::vector<double> g;     // [item][neuron]
};

}  // namespace boolearn
