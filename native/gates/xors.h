// The sums that give the errors of every exclusive or of two senders.
//
// With values ±1 an exclusive or is −ab, or ab when one input is negated, so X = −Σ v ab gives the sum 2 Σ v·gate of
// both signs: ±2 X.
//
// An exclusive or fits although neither of its inputs says anything by itself, so correlations of single senders do not
// tell where to look. Pairs are few, though: they are taken from a part of the senders of their own, larger than that
// of columns.cpp and drawn evenly, which contains the present gate's inputs if that is an exclusive or. The argument of
// columns.cpp applies to it as it stands: weights divided by the chances of a gate's two inputs keep the distribution
// exact. The other gates do not depend on this part, nor exclusive ors on theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.h"
#include "packed.h"

namespace boolearn::gates {

struct Xors {
    // Nothing is counted where there are no exclusive ors. `columns` and `packed` are used where they hold all senders.
    void count(const Circuit& circuit, const Prior& prior, const Field& field, int neuron, const Columns& columns,
               Packed& packed, Random& random);

    // One sender with all later ones.
    std::size_t runs() const { return position.size() < 2 ? 0 : position.size() - 1; }
    std::int32_t sum(std::size_t p, std::size_t q, int sign) const { return 2 * sign * x[p * stride + q]; }
    Gate gate(std::size_t p, std::size_t q, int sign) const;

    std::vector<std::int32_t> position;  // among the senders, without the constant
    std::vector<double> favour;          // as in Columns, with the chance to be in this part
    double most_favour = 0;              // the largest logarithm of a product of two
    std::size_t stride = 0;
    std::vector<std::int32_t> x;  // [p][q], q > p
    std::int32_t most = 0;        // the largest sum of a candidate

  private:
    Packed own_;
};

}  // namespace boolearn::gates
