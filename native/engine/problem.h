// What an engine is given to solve, and a point of its search, in the caller's plain order.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network.h"

namespace boolearn {

// Engines that share an iteration: each holds the items that Deal::share gives it.
struct Share {
    std::int64_t all_items = 0;  // 0: the engine's items are all there are
    std::int64_t engines = 1, engine = 0;
};

struct Problem {
    Network network;
    std::vector<double> margins;  // [neuron]
    InputMode input_mode;
    std::int64_t items;
    std::vector<double> inputs;                                // [item][input], empty when the inputs are free
    std::vector<signed char> outputs;                          // [item][output], -1 or +1, 0 where open
    std::int64_t output_flips = 0, input_flips = 0;            // how many bits may be held flipped
    double support = std::numeric_limits<double>::infinity();  // the most that |w|_1^2 / |w|_2^2 of a neuron may be
    bool classes = false;  // outputs are one-hot: output_flips items may be held at another class
    Share share = {};      // of how many items these are some

    std::int64_t all_items() const { return share.all_items ? share.all_items : items; }
};

struct Point {
    std::vector<double> w, x;  // [item][edge]
    std::vector<double> y;     // [item][node]
    std::vector<double> g;     // [item][neuron]
};

}  // namespace boolearn
