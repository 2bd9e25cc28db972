// The values of the columns for the items that have a weight, packed plane by plane of the weights (see counting.h).
#pragma once

#include <cstdint>
#include <vector>

#include "columns.h"
#include "field.h"

namespace boolearn::gates {

struct Packed {
    // The columns are given by their positions among the neuron's senders.
    void pack(const Circuit& circuit, const Field& field, int neuron, const std::vector<std::int32_t>& position);

    std::size_t words() const { return shift.size(); }
    // A column times the sign of v: what is counted against a table of other columns. Valid until the next call.
    const Word* row(std::size_t column);

    std::size_t stride = 0;           // columns, rounded up
    std::vector<Word> values;         // [word][column]
    std::vector<Word> sign;           // [word] of v
    std::vector<std::uint8_t> shift;  // [word] its plane

  private:
    std::vector<Word> row_;
};

}  // namespace boolearn::gates
