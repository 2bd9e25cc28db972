// Which of the compiled kernels this processor runs.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernel.h"

namespace boolearn::evaluate {

extern const Kernels kernels_baseline;
#ifdef BOOLEARN_X86
extern const Kernels kernels_avx2, kernels_avx512;
#endif

const Kernels& choose_kernels() {
    struct { const Kernels* kernels; bool runs; } const known[] = {
#ifdef BOOLEARN_X86
        {&kernels_avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")},
        {&kernels_avx2, __builtin_cpu_supports("avx2") != 0},
#endif
        {&kernels_baseline, true},
    };
    const char* wanted = std::getenv("BOOLEARN_ISA");
    for (const auto& k : known)
        if (k.runs && (!wanted || !*wanted || !std::strcmp(wanted, k.kernels->name))) return *k.kernels;
    std::string names;
    for (const auto& k : known)
        if (k.runs) names += std::string(names.empty() ? "" : ", ") + k.kernels->name;
    throw std::invalid_argument(std::string("BOOLEARN_ISA must be one of ") + names + " on this machine. Got '" + wanted + "' instead.");
}

}  // namespace boolearn::evaluate
