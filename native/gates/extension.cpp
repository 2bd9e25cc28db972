// The sampler as an extension module of its own.
#include "register.h"

NB_MODULE(_gates, module) { boolearn::gates::register_gates(module); }
