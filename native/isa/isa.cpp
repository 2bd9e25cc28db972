#include "isa.h"

#include <cstdlib>
#include <stdexcept>

namespace boolearn {

#if defined(__x86_64__)
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
static bool has_avx2() { return HAS("avx2") && HAS("fma") && HAS("bmi2") && HAS("popcnt"); }
static bool has_avx512() {
    return has_avx2() && HAS("avx512f") && HAS("avx512dq") && HAS("avx512bw") && HAS("avx512vl");
}
bool counts_bits_with_avx512() { return has_avx512() && HAS("avx512vpopcntdq"); }
#undef HAS
#else
static bool has_avx2() { return false; }
static bool has_avx512() { return false; }
bool counts_bits_with_avx512() { return false; }
#endif

const char* name_of(Isa isa) {
    static const char* const names[] = {"baseline", "avx2", "avx512"};
    return names[static_cast<int>(isa)];
}

std::vector<Isa> runnable_isas() {
    std::vector<Isa> found{Isa::kBaseline};
    if (has_avx2()) found.insert(found.begin(), Isa::kAvx2);
    if (has_avx512()) found.insert(found.begin(), Isa::kAvx512);
    return found;
}

Isa chosen_isa() {
    const char* given = std::getenv("BOOLEARN_ISA");
    const std::string wanted = given ? given : "";
    std::string names;
    for (Isa isa : runnable_isas()) {
        if (wanted.empty() || wanted == name_of(isa)) return isa;
        names += (names.empty() ? "" : ", ") + std::string(name_of(isa));
    }
    throw std::invalid_argument("BOOLEARN_ISA must be one of " + names + " on this machine. Got '" + wanted +
                                "' instead.");
}

}  // namespace boolearn
