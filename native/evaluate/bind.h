#pragma once

#include <nanobind/nanobind.h>

namespace boolearn {

// Adds the class BitProgram to the module.
void register_evaluate(nanobind::module_& m);

}  // namespace boolearn
