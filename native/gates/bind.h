#pragma once

#include <nanobind/nanobind.h>

namespace boolearn {

// Adds the classes GateTask and GateSampler to the module.
void register_gates(nanobind::module_& m);

}  // namespace boolearn
