// A program over bit planes, run block by block on several threads.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel.h"

namespace boolearn::evaluate {

class BitProgram {
  public:
    // Slots are checked here, once: whatever is passed, no run leaves its memory.
    BitProgram(std::vector<Instruction> instructions, std::int64_t slots, std::vector<std::int32_t> input_slots,
               std::vector<std::int32_t> output_slots, const std::vector<std::uint8_t>& output_negated);

    std::size_t inputs() const { return input_slots_.size(); }
    std::size_t outputs() const { return output_slots_.size(); }
    const char* isa() const { return kernels_->name; }

    // Planes of `words` words, one after the other.
    void run_words(const std::uint64_t* in, std::uint64_t* out, std::size_t words, int threads) const;

    // Rows of -1 and +1, or of 0 and 1. Says whether all bytes of the input were one of the two; when
    // not, the output is meaningless.
    bool run_signs(const signed char* in, bool minus_allowed, signed char* out, std::size_t items, int threads) const;

  private:
    std::size_t block_words(std::size_t words, int threads) const;

    std::vector<Instruction> instructions_;
    std::size_t slots_;
    std::vector<std::int32_t> input_slots_, output_slots_;
    std::vector<std::uint64_t> output_flip_;
    const Kernels* kernels_;
};

}  // namespace boolearn::evaluate
