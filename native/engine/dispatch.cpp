#include "isa.h"
#include "kernel.h"

namespace boolearn {

BOOLEARN_COMPILED_KERNELS(Kernels)

const Kernels& choose_kernels(bool half_line) {
    return best_of(compiled_kernels, half_line ? Isa::kAvx2 : Isa::kAvx512);
}

}  // namespace boolearn
