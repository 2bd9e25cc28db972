// The sums that give the errors of every majority of five signed inputs, the constant possibly one of them.
//
// With 8 maj(a, b, c, d, e) = 3 Σ a − Σ abc + 3 abcde, the sum 2 Σ v·gate that stands for the errors of a candidate is
//
//     (3 Σ s M1 − Σ sss M3 + 3 sssss M5) / 4,
//
// over its five inputs and ten triples; M5 is counted as M3 is. As a function of the signs it is a polynomial with
// one coefficient for each odd set of inputs. With e's sign +1 these are the 16 sets of a, b, c, d, and one fast
// Walsh-Hadamard transform gives the sums of 16 choices of signs; the other 16 are their negatives. Like all
// sums they are 2 Σ ±v: they differ from each other by multiples of four, and none is above 2 Σ |v|.
//
// There are too many sets of five to consider them all: only those of a random part of the columns are, which
// contains the present gate's inputs if that is a majority of five. A column's chance to be in the part depends on
// M1, so not on the neuron's own gate, and whatever the columns are, they stay the same during the visit. The
// argument of columns.cpp applies again: weights divided by the chances of a gate's five inputs keep the
// distribution exact, and the weights of all other gates do not depend on the part.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "columns.h"
#include "packed.h"
#include "triples.h"

namespace boolearn::gates {

// Choices of signs that are stored: those with e's sign +1.
constexpr std::size_t kSigns = 16;

// How many sets of four there are of n.
inline std::size_t sets_of_four(std::size_t n) { return n * (n - 1) * (n - 2) * (n - 3) / 24; }

// The sets of five of k columns, a < b < c < d < e. They come in runs: one column a with all quads of later ones,
// last columns first, so that each run takes a prefix of the quads.
struct SetsOfFive {
    explicit SetsOfFive(std::size_t k = 0);

    // Where the coefficients of triples are found: after those of the k columns.
    static std::size_t place(std::size_t k, std::size_t a, std::size_t b, std::size_t c) {
        return k + (a * k + b) * k + c;
    }

    std::vector<std::array<std::uint8_t, 4>> quads;
    std::size_t size = 0, blocks = 0;  // how many sets there are, and how many eights
    std::vector<std::int32_t> places;  // [block][15][8]: where coefficients are found in Fives
};

struct Fives {
    // Nothing is counted where the neuron may not be a majority of five, or too few columns are in the part.
    void count(const Circuit& circuit, int neuron, const Columns& columns, const Triples& triples, Packed& packed,
               std::int32_t weight, Random& random);

    // Bits 0 to 3 of `signs`: a to d have the sign −1; e has +1.
    std::int32_t sum(std::size_t set, std::size_t signs) const { return sums[place_of_sum(set, signs)]; }
    // Bit 4 is for e. The signs opposite to `signs` are 31 − signs, and their sum is the negative.
    Gate majority(const Columns& columns, std::size_t set, int signs) const;

    std::size_t size = 0;              // how many sets are considered
    std::size_t blocks = 0;            // how many eights of sets
    const SetsOfFive* sets = nullptr;  // those of the part
    std::vector<std::int32_t> part;    // the columns of the part
    std::vector<double> favour;        // [place in the part] as in Columns, and 1 / its chance to be in the part
    double most_favour = 0;            // the largest logarithm of a product of five
    std::vector<std::int32_t> sums;    // [block][16][8]
    std::vector<std::int32_t> best;    // [set]: the largest of its sums, and of their negatives
    std::int32_t most = 0;             // the largest sum of a candidate

  private:
    // Sums come in blocks of eight sets.
    static std::size_t place_of_sum(std::size_t set, std::size_t signs) {
        return (set / 8 * kSigns + signs) * 8 + set % 8;
    }
    void choose_part(const Task& task, const Gate& keep, const Columns& columns, const Triples& triples,
                     Random& random);
    void set_coefficients(const Triples& triples, std::size_t columns);
    void count_m5(const Counting& counting, Packed& packed, std::int32_t weight);

    std::vector<SetsOfFive> sets_of_;         // by size of the part, as far as they were needed
    std::vector<double> chance_;              // [column] to be in the part
    std::vector<std::int32_t> coefficients_;  // 3 M1 and −M3 of the part
    std::vector<std::int32_t> m5_;
    std::vector<Word> word_;   // [place in the part] one word of each column
    std::vector<Word> table_;  // [word][quad] the exclusive ors
};

}  // namespace boolearn::gates
