#include "isa.h"
#include "kernel.h"

namespace boolearn::evaluate {

BOOLEARN_COMPILED_KERNELS(Kernels)

const Kernels& choose_kernels() { return best_of(compiled_kernels); }

}  // namespace boolearn::evaluate
