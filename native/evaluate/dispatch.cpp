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

const Kernels* const* runnable_kernels() {
    static const Kernels* found[4] = {};
    static const bool once = [] {
        const Kernels** next = found;
#ifdef BOOLEARN_X86
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) *next++ = &kernels_avx512;
        if (__builtin_cpu_supports("avx2")) *next++ = &kernels_avx2;
#endif
        *next = &kernels_baseline;
        return true;
    }();
    (void)once;
    return found;
}

const Kernels& choose_kernels() {
    const char* wanted = std::getenv("BOOLEARN_ISA");
    std::string names;
    for (const Kernels* const* k = runnable_kernels(); *k; ++k) {
        if (!wanted || !*wanted || !std::strcmp(wanted, (*k)->name)) return **k;
        names += std::string(names.empty() ? "" : ", ") + (*k)->name;
    }
    throw std::invalid_argument("BOOLEARN_ISA must be one of " + names + " on this machine. Got '" + wanted + "' instead.");
}

}  // namespace boolearn::evaluate
