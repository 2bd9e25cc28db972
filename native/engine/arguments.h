// What Python passes to an engine: arrays are checked, and copied to vectors; every complaint says which parameter of
// which function it is about.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "problem.h"

namespace boolearn {

namespace nb = nanobind;

template <class T> using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void require(bool holds, const std::string& rule) {
    if (!holds) throw nb::value_error(rule.c_str());
}

template <class T> std::vector<T> copy(const Vector<T>& a) { return {a.data(), a.data() + a.size()}; }

inline bool has_shape(const Matrix& a, std::int64_t rows, std::int64_t columns) {
    return a.shape(0) == static_cast<std::size_t>(rows) && a.shape(1) == static_cast<std::size_t>(columns);
}

// The numbers of a matrix, row by row, each of which must be allowed; `rule` says which are.
template <class To, class Allowed>
std::vector<To> numbers_of(const Matrix& a, const std::string& name, const std::string& function, const char* rule,
                           Allowed allowed) {
    std::vector<To> numbers;
    numbers.reserve(a.size());
    const auto each = [&](const auto* data) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            const double value = static_cast<double>(data[k]);
            // There are many numbers: the text is made only when it is needed.
            if (!allowed(value))
                require(false, "The '" + name + "' parameter of " + function + " must " + rule + ". Got " +
                                   std::to_string(value) + " instead.");
            numbers.push_back(static_cast<To>(value));
        }
    };
    if (a.dtype() == nb::dtype<signed char>())
        each(static_cast<const signed char*>(a.data()));
    else if (a.dtype() == nb::dtype<float>())
        each(static_cast<const float*>(a.data()));
    else if (a.dtype() == nb::dtype<double>())
        each(static_cast<const double*>(a.data()));
    else
        throw nb::type_error(
            ("The '" + name + "' parameter of " + function + " must be int8, float32 or float64.").c_str());
    return numbers;
}

inline std::vector<signed char> targets_of(const Matrix& a, const char* name, const char* function) {
    return numbers_of<signed char>(a, name, function, "hold -1 and +1, or 0 where open",
                                   [](double v) { return v == 1 || v == -1 || v == 0; });
}

inline std::vector<double> finite_numbers_of(const Matrix& a, const char* name, const char* function) {
    return numbers_of<double>(a, name, function, "be finite", [](double v) { return std::isfinite(v); });
}

inline Problem make_problem(int nodes, int inputs, int outputs, const Vector<std::int64_t>& start,
                            const Vector<std::int32_t>& sender, const Vector<std::int32_t>& tie, std::int64_t weights,
                            const Vector<double>& margins, int input_mode, const nb::object& given,
                            const Matrix& wanted, std::int64_t output_flips, std::int64_t input_flips, double support,
                            bool classes) {
    Problem p{Network(nodes, inputs, outputs, copy(start), copy(sender), copy(tie), weights),
              copy(margins),
              static_cast<InputMode>(input_mode),
              static_cast<std::int64_t>(wanted.shape(0)),
              {},
              {},
              output_flips,
              input_flips,
              support,
              classes};
    require(input_mode >= kGiven && input_mode <= kOneHot,
            "The 'input_mode' parameter of Engine must be 0, 1 or 2. Got " + std::to_string(input_mode) + " instead.");
    require(input_mode == kGiven || inputs > 0,
            "The 'n_inputs' parameter of Engine must be at least 1 when the inputs are free.");
    require(p.margins.size() == static_cast<std::size_t>(p.network.neurons),
            "The 'margins' parameter of Engine must have one number per neuron.");
    for (double mu : p.margins)
        require(std::isfinite(mu) && mu > 0,
                "The 'margins' parameter of Engine must be positive. Got " + std::to_string(mu) + " instead.");
    require(p.items >= 1 && wanted.shape(1) == static_cast<std::size_t>(outputs),
            "The 'outputs' parameter of Engine must have the shape (items, n_outputs), with one item or more.");
    p.outputs = targets_of(wanted, "outputs", "Engine");
    require(output_flips >= 0 && output_flips <= p.items * outputs,
            "The 'output_flips' parameter of Engine must be from 0 to the number of output bits. Got " +
                std::to_string(output_flips) + " instead.");
    require(input_flips >= 0 && input_flips <= (input_mode == kGiven ? p.items * inputs : 0),
            "The 'input_flips' parameter of Engine must be from 0 to the number of given input bits. Got " +
                std::to_string(input_flips) + " instead.");
    require(support >= 1,
            "The 'support' parameter of Engine must be at least 1. Got " + std::to_string(support) + " instead.");
    require(
        (input_mode == kGiven) == !given.is_none(),
        "The 'inputs' parameter of Engine must be an array when the inputs are given, and None when they are free.");
    if (input_mode == kGiven) {
        const Matrix data = nb::cast<Matrix>(given);
        require(has_shape(data, p.items, inputs),
                "The 'inputs' parameter of Engine must have the shape (items, n_inputs).");
        p.inputs = finite_numbers_of(data, "inputs", "Engine");
    }
    return p;
}

}  // namespace boolearn
