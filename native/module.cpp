// The compiled part of boolearn.
#include <nanobind/nanobind.h>

#include "engine/bind.h"
#include "evaluate/bind.h"
#include "gates/bind.h"

NB_MODULE(_native, m) {
    m.doc() = "The compiled part of boolearn.";
    boolearn::register_engine(m);
    boolearn::register_evaluate(m);
    boolearn::register_gates(m);
}
