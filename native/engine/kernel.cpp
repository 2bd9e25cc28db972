// The sweep for one instruction set: this file is compiled once for each, with the flags of its own and
// BOOLEARN_KERNELS naming the table it defines.
#include "sweep.h"

namespace boolearn {
extern const Kernels BOOLEARN_KERNELS;
const Kernels BOOLEARN_KERNELS = {BOOLEARN_ISA_NAME, iteration<float, Half>, iteration<float, float>,
                                  iteration<double, double>, touch};
}  // namespace boolearn
