// What the errors say about one neuron: the weights v of the items.
//
// Errors are wrong output bits over the training items. With all other neurons fixed they are
// Ē − ½ Σ_i v_i c_i, where c_i = ±1 is what the neuron holds for item i and v_i the errors item i has more
// when it holds −1 than when it holds +1. v does not depend on the neuron's own gate.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit.h"
#include "flip.h"

namespace boolearn::gates {

struct Field {
    explicit Field(const Task& task) : positive(task.words), task_(task) {}

    void compute(const Circuit& circuit, const Flip& flip);

    // M1 = Σ v a of values a.
    std::int64_t m1_of(const Word* values) const;

    const Word* plane(int k) const { return &magnitude[static_cast<std::size_t>(k) * task_.words]; }

    int planes = 0;
    std::vector<Word> magnitude;  // [plane][word]: |v| in binary
    std::vector<Word> positive;   // [word]: the sign of v
    std::int32_t weight = 0;      // Σ |v|
    std::int64_t twice_mean = 0;  // 2 Ē

  private:
    // An output that changes when the neuron is flipped; weights are those of its bits, plane 0, or null.
    struct ChangedOutput {
        const Word *now, *flipped, *target, *weights;
    };

    const Task& task_;
    std::vector<ChangedOutput> outputs_;
};

}  // namespace boolearn::gates
