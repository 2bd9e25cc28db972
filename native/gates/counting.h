// The inner sums of the sampler, compiled once for each instruction set.
//
// The weights v of the items are small integers. They are split into planes of bits: plane k holds the
// items whose |v| has bit k, and only those, packed into as few words as they need. With s the sign of v
// and a_p the values of input p, both packed alike,
//
//     Σ_i v_i a_ip a_iq a_ir = Σ_i |v_i| − 2 Σ_k 2^k popcount(a_p ^ a_q ^ a_r ^ s)   over the words of plane k,
//
// so that a sum costs an exclusive or and a count per word, for 64 items at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boolearn::gates {

// The sums of triples are taken in runs: one input p against all pairs (q, r) of later inputs, whose exclusive
// ors stand in a table. Words are stored word by word: word w of column c at table[w * stride + c].
constexpr int kMaxPlanes = 32;

// Columns of a table come in eights, and functions may read and write up to the next multiple of eight.
inline std::size_t round_up(std::size_t columns) { return (columns + 7) / 8 * 8; }

struct Counting {
    const char* name;

    // How many bits of `mask` are set, and how many of those where a and b differ; each has `words` words.
    std::int64_t (*bits)(const std::uint64_t* mask, std::size_t words);
    std::int64_t (*differ)(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* mask,
                           std::size_t words);

    // Σ_k 2^k of how many bits of plane k are set where a and b differ: what `differ` counts, for all planes at once.
    // Plane k begins at planes + k * words.
    std::int64_t (*differ_weighted)(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* planes,
                                    int n_planes, std::size_t words);

    // Packs the bits of `values` chosen by `mask`, `words` words of each: appends to `to`, which holds `filled`
    // bits, has room, and is zero from there on. Returns the new number of bits; an instruction set without a
    // quick way to pack keeps the bits where they are and counts whole words.
    std::size_t (*pack)(const std::uint64_t* values, const std::uint64_t* mask, std::size_t words, std::uint64_t* to,
                        std::size_t stride, std::size_t filled);

    // total[c] = Σ_w popcount(row[w] ^ table[w * stride + c]) << shift[w], where shift rises with w.
    void (*count)(const std::uint64_t* row, const std::uint64_t* table, std::size_t stride, const std::uint8_t* shift,
                  std::size_t words, std::size_t columns, std::int32_t* total);

    // For a run of triples (p, q, r): turns total into m3 = weight − 2 total, and finds the largest
    // Σ v·(s₁a_p + s₂a_q + s₃a_r − s₁s₂s₃ a_p a_q a_r) over the eight signs. The signs leave of q and r
    // ±(m_q + m_r), with s₂s₃ = 1, or ±(m_q − m_r), with s₂s₃ = −1, and then both signs of m_p − m3 in the
    // first case and of m_p + m3 in the second. `same` is |m_q + m_r|, `other` |m_q − m_r|.
    // Returns the largest of the run.
    std::int32_t (*score)(std::int32_t m_p, const std::int32_t* same, const std::int32_t* other, std::int32_t weight,
                          std::size_t columns, std::int32_t* total, std::int32_t* best);

    // For sets of five inputs, see fives.h, eight of them a block: takes the first 15 of their 16 coefficients from
    // where `places` says, [block][15][8], and the last from sums[block][15][8], puts the sums of 16 choices of signs
    // into sums[block][16][8], and finds the largest of each set, whatever its sign.
    void (*transform)(const std::int32_t* coefficients, const std::int32_t* places, std::size_t blocks,
                      std::int32_t* sums, std::int32_t* best);
};

// The best this processor runs, or the one BOOLEARN_ISA names.
const Counting& choose_counting();

}  // namespace boolearn::gates
