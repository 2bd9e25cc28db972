#pragma once

#include <nanobind/nanobind.h>

namespace boolearn {

// Adds the class Engine to the module.
void register_engine(nanobind::module_& m);

}  // namespace boolearn
