// Which of the compiled kernels this processor runs.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernel.h"

namespace boolearn {

extern const Kernels kernels_baseline;
#ifdef BOOLEARN_X86
extern const Kernels kernels_avx2, kernels_avx512;

static bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif

const Kernels& choose_kernels() {
    struct { const Kernels* kernels; bool runs; } const known[] = {
#ifdef BOOLEARN_X86
        {&kernels_avx512, has_avx512()},
        {&kernels_avx2, has_avx2()},
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

}  // namespace boolearn
