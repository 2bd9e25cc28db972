// Adds the gate sampler to a Python extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace boolearn::gates {

void register_gates(nanobind::module_& module);

}  // namespace boolearn::gates
