// How much each output bit counts when it is wrong. Bits that stay wrong are given more weight, so that the search
// leaves circuits that cannot get them right. Bits that the data leave open weigh nothing, always.
#pragma once

#include <cstdint>
#include <vector>

#include "task.h"

namespace boolearn::gates {

class BitWeights {
  public:
    explicit BitWeights(const Task& task) : task_(task) { clear(); }

    // How many bits the weights have; 0 while all weights are 1, which is then written nowhere.
    int planes() const { return planes_; }
    // Bit k of the weights of an output.
    const Word* plane(int k, int output) const {
        return &bits_[(static_cast<std::size_t>(k) * outputs() + static_cast<std::size_t>(output)) * task_.words];
    }

    // Every bit that is wrong weighs one more, up to `most`; values are what the outputs hold, [output][word].
    void raise_wrong(const Word* values, int most);
    // Every weight above 1 becomes one less.
    void ease();
    void clear();

    // One by one, [output][item], from 1 to 255; what is said of open bits does not matter.
    std::vector<std::uint8_t> list() const;
    void set(const std::uint8_t* weights);

  private:
    // Every weight is 1, in a plane.
    void write_ones();
    std::size_t outputs() const { return static_cast<std::size_t>(task_.wiring.n_outputs); }

    const Task& task_;
    int planes_ = 0;
    std::vector<Word> bits_;  // [plane][output][word]
};

}  // namespace boolearn::gates
