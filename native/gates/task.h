// What does not change while sampling: the wiring, the data, and which gates are considered. Samplers share one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "counting.h"
#include "gate.h"
#include "wiring.h"

namespace boolearn::gates {

struct Task {
    // inputs and targets: [item][input or output], zero or not; open, as targets, says which of them do not matter.
    Task(Wiring wiring, int items, const std::uint8_t* inputs, const std::uint8_t* targets,
         const std::uint8_t* open = nullptr);

    // Neurons that want to be majorities of five may be one, where they have five senders.
    void allow_five(const std::vector<char>& wanted);
    bool any_five() const { return std::find(five.begin(), five.end(), 1) != five.end(); }

    Wiring wiring;
    int items = 0;
    std::size_t words = 0;
    std::vector<Word> inputs;   // [input][word], bit 1 for +1; bits beyond the items are 0
    std::vector<Word> targets;  // [output][word]
    std::vector<Word> mask;     // [word], bit 1 for an item
    std::vector<Word> counted;  // [output][word], bit 1 for an item whose target matters
    bool any_open = false;
    int most_enumerated = 28;  // a neuron with more senders draws among the gates of a random part of them
    std::vector<char> five;    // [neuron] may be a majority of five
    bool xors = false;         // neurons may be exclusive ors of two senders
    int most_paired = 48;      // with more senders, exclusive ors are drawn from a random part of them
    int most_five = 10;        // with more columns, majorities of five are drawn from a random part of them
    const Counting* counting = nullptr;
};

}  // namespace boolearn::gates
