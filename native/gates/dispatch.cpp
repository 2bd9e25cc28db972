#include "counting.h"
#include "isa.h"

namespace boolearn::gates {

BOOLEARN_COMPILED_KERNELS(Counting)

const Counting& choose_counting() {
    return best_of(compiled_kernels, counts_bits_with_avx512() ? Isa::kAvx512 : Isa::kAvx2);
}

}  // namespace boolearn::gates
