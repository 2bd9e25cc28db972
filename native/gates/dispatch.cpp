// Which of the compiled counting functions this processor runs.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "counting.h"

namespace boolearn::gates {

extern const Counting counting_baseline;
#ifdef BOOLEARN_X86
extern const Counting counting_avx2, counting_avx512;

static bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
static bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

const Counting& choose_counting() {
    struct { const Counting* counting; bool runs; } const known[] = {
#ifdef BOOLEARN_X86
        {&counting_avx512, has_avx512()},
        {&counting_avx2, has_avx2()},
#endif
        {&counting_baseline, true},
    };
    const char* wanted = std::getenv("BOOLEARN_ISA");
    const bool any = !wanted || !*wanted;
    for (const auto& k : known)
        if (k.runs && (any || !std::strcmp(wanted, k.counting->name))) return *k.counting;
    // BOOLEARN_ISA also steers the RRR engine, whose "avx512" asks for less than ours.
    if (!any && !std::strcmp(wanted, "avx512"))
        for (const auto& k : known)
            if (k.runs) return *k.counting;
    std::string names;
    for (const auto& k : known)
        if (k.runs) names += std::string(names.empty() ? "" : ", ") + k.counting->name;
    throw std::invalid_argument("BOOLEARN_ISA must be one of " + names + " on this machine. Got '" + wanted + "' instead.");
}

}  // namespace boolearn::gates
