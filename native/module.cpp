// The compiled part of boolearn.
#include <nanobind/nanobind.h>

#include "bind.h"

NB_MODULE(_native, m) {
    m.doc() = "The compiled part of boolearn.";
    boolearn::register_evaluate(m);
}
