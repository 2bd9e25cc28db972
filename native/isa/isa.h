// Which of the kernels compiled for several instruction sets runs here (CMakeLists.txt, add_kernels).
#pragma once

#include <string>
#include <vector>

namespace boolearn {

// From the one every processor of this architecture has to the widest.
enum class Isa : int { kBaseline, kAvx2, kAvx512 };

const char* name_of(Isa);

// What this processor runs, the best first.
std::vector<Isa> runnable_isas();

// The best of them, or the one named by BOOLEARN_ISA; throws std::invalid_argument when it does not run here.
Isa chosen_isa();

// AVX-512 processors differ in whether they count the bits of words.
bool counts_bits_with_avx512();

// Of the tables add_kernels compiled, from the baseline up: the one for the chosen instruction set, or for
// the next lower one when it was not compiled or is beyond the limit.
template <class Table, int n> const Table& best_of(const Table* const (&compiled)[n], Isa limit = Isa::kAvx512) {
    const Isa chosen = chosen_isa(), isa = chosen < limit ? chosen : limit;
    const int level = static_cast<int>(isa);
    return *compiled[level < n ? level : n - 1];
}

}  // namespace boolearn

// Declares them, as the array compiled_kernels, in the namespace of the part they belong to.
#ifdef BOOLEARN_X86_KERNELS
#define BOOLEARN_COMPILED_KERNELS(Table)                               \
    extern const Table kernels_baseline, kernels_avx2, kernels_avx512; \
    static const Table* const compiled_kernels[] = {&kernels_baseline, &kernels_avx2, &kernels_avx512};
#else
#define BOOLEARN_COMPILED_KERNELS(Table) \
    extern const Table kernels_baseline; \
    static const Table* const compiled_kernels[] = {&kernels_baseline};
#endif
