// The sums that give the errors of every copy and every majority of three.
//
// A majority is (a + b + c − abc) / 2, so M1 = Σ v a and M3 = Σ v abc give the sum 2 Σ v·gate of every candidate with
// every choice of signs: ±2 M1 for copies, and s₁ M1 + s₂ M1 + s₃ M1 − s₁s₂s₃ M3 for majorities.
#pragma once

#include <cstdint>
#include <vector>

#include "counting.h"
#include "packed.h"

namespace boolearn::gates {

struct Triples {
    // One column with all pairs of later ones.
    struct Run {
        std::size_t at, pairs;  // where its sums begin, how many there are
        std::int32_t most;      // the largest sum of a candidate
    };

    // weight: Σ |v|.
    void count(const Counting& counting, Packed& packed, std::size_t columns, std::int32_t weight);

    // The sum of one majority; bit k of the signs is set where input k has the sign −1.
    std::int32_t sum(std::size_t run, std::size_t pair, int signs) const {
        const int s[3] = {signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1};
        return s[0] * m1[run] + s[1] * m1[first[pair]] + s[2] * m1[second[pair]] -
               s[0] * s[1] * s[2] * m3[runs[run].at + pair];
    }

    std::vector<Run> runs;                    // by first column
    std::vector<std::int32_t> first, second;  // the pairs: last columns first, so that each run takes a prefix
    std::vector<std::int32_t> m1;             // [column]
    std::vector<std::int32_t> same, other;    // [pair] |m_q + m_r| and |m_q − m_r|
    std::vector<std::int32_t> m3, best;       // by run and pair; the largest sum of the eight choices of signs
    std::int32_t most = 0;                    // the largest sum of a candidate

  private:
    void list_pairs(std::size_t columns);

    std::vector<Word> table_;  // [word][pair] the exclusive ors
};

}  // namespace boolearn::gates
