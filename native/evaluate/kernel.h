// What the compiled kernels see: plain structures, no classes of the standard library, so that nothing
// compiled for a newer instruction set can leak into the rest of the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boolearn::evaluate {

// In the order of boolearn/circuit/bits/instructions.py, which says what each one means.
enum Op : std::int32_t {
    kZero,
    kAnd,
    kAndNot,
    kOr,
    kXor,
    kAndAnd,
    kAndAndNot,
    kAndNor,
    kOrOr,
    kAndNand,
    kAndOrNot,
    kAndOr,
    kOrAnd,
    kOrAndNot,
    kNotAndOr,
    kXorXor,
    kMaj,
    kMajNot,
    kFullAdd,
    kFullAddNot,
    kHalfAdd,
    kHalfAddNot,
    kHalfAddOr,
    kOps
};

struct Instruction {
    std::int32_t op, result, second, a, b, c;  // slots
};

constexpr std::size_t kLineWords = 8;  // slots are whole cache lines
constexpr std::size_t kWord = 64;      // items in a word
constexpr std::size_t kOverrun = 64;   // bytes pack may read, and unpack write, past the last row
constexpr std::size_t kColumns = 64;   // columns are handled in groups of this many, or of a divisor of it

constexpr std::size_t padded(std::size_t columns) { return (columns + kColumns - 1) / kColumns * kColumns; }

// What pack has met in the rows: the or and the and of all bytes, and the greatest of byte + 1.
// All are -1, 0 or +1 exactly when the last is at most 2.
struct Seen {
    alignas(64) unsigned char any[64], all[64], greatest[64];
};

// The slots of one thread: slot s is `words` words from slots + s * words.
struct Slots {
    std::uint64_t* first;
    std::size_t words;
};

struct Kernels {
    const char* name;
    // Runs the program on every slot's words, a multiple of kLineWords.
    void (*run)(const Instruction*, std::size_t count, Slots);
    // 64 rows of int8 to one word of each column's slot; columns with slot -1 are only looked at.
    // octets: scratch of 8 * padded(columns) bytes.
    void (*pack)(const signed char* rows, std::size_t columns, const std::int32_t* slot, Slots, std::size_t word,
                 unsigned char* octets, Seen&);
    // One word of each column's slot, flipped where asked, to 64 rows of -1 and +1.
    void (*unpack)(signed char* rows, std::size_t columns, const std::int32_t* slot, const std::uint64_t* flip, Slots,
                   std::size_t word, unsigned char* octets);
};

// The best kernels this processor runs, or those named by BOOLEARN_ISA.
const Kernels& choose_kernels();

}  // namespace boolearn::evaluate
