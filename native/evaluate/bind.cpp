// The Python face of bit programs: checks shapes, releases the GIL while it works.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <string>

#include "bind.h"
#include "bit_program.h"
#include "isa.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace boolearn::evaluate {
namespace {

template <class T, int axes> using In = nb::ndarray<const T, nb::ndim<axes>, nb::c_contig, nb::device::cpu>;
template <class T> using Out = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T> std::vector<T> copy(const In<T, 1>& a) { return {a.data(), a.data() + a.size()}; }

void require(bool holds, const char* rule) {
    if (!holds) throw nb::value_error(rule);
}

void check_threads(int threads) {
    require(threads >= 1 && threads <= 1024, "The 'threads' parameter of BitProgram must be from 1 to 1024.");
}

}  // namespace
}  // namespace boolearn::evaluate

void boolearn::register_evaluate(nb::module_& m) {
    using namespace boolearn::evaluate;
    nb::class_<BitProgram>(m, "BitProgram", "Instructions over bit planes, 64 items a word.")
        .def(
            "__init__",
            [](BitProgram* self, const In<std::int32_t, 2>& instructions, std::int64_t slots,
               const In<std::int32_t, 1>& input_slots, const In<std::int32_t, 1>& output_slots,
               const In<std::uint8_t, 1>& output_negated) {
                require(instructions.shape(1) == 6,
                        "The 'instructions' parameter of BitProgram must have the shape (n, 6).");
                static_assert(sizeof(Instruction) == 6 * sizeof(std::int32_t));
                std::vector<Instruction> list(instructions.shape(0));
                if (!list.empty()) std::memcpy(list.data(), instructions.data(), list.size() * sizeof(Instruction));
                new (self)
                    BitProgram(std::move(list), slots, copy(input_slots), copy(output_slots), copy(output_negated));
            },
            "instructions"_a, "n_slots"_a, "input_slots"_a, "output_slots"_a, "output_negated"_a)
        .def(
            "run_words",
            [](const BitProgram& self, const In<std::uint64_t, 2>& in, const Out<std::uint64_t>& out, int threads) {
                check_threads(threads);
                require(in.shape(0) == self.inputs() && out.shape(0) == self.outputs() && in.shape(1) == out.shape(1),
                        "run_words takes planes of the inputs and of the outputs, with as many words each.");
                nb::gil_scoped_release release;
                self.run_words(in.data(), out.data(), in.shape(1), threads);
            },
            "inputs"_a, "outputs"_a, "threads"_a, "Planes (inputs, words) to planes (outputs, words).")
        .def(
            "run_signs",
            [](const BitProgram& self, const In<signed char, 2>& in, bool minus_allowed, const Out<signed char>& out,
               int threads) {
                check_threads(threads);
                require(in.shape(1) == self.inputs() && out.shape(1) == self.outputs() && in.shape(0) == out.shape(0),
                        "run_signs takes rows of the inputs and of the outputs, as many of each.");
                nb::gil_scoped_release release;
                return self.run_signs(in.data(), minus_allowed, out.data(), in.shape(0), threads);
            },
            "inputs"_a, "minus_allowed"_a, "outputs"_a, "threads"_a,
            "Rows of ±1 or 0/1 to rows of ±1; False, and nothing useful in outputs, when the input holds something "
            "else.")
        .def_static(
            "instruction_sets",
            [] {
                nb::list names;
                for (Isa isa : runnable_isas()) names.append(name_of(isa));
                return names;
            },
            "The instruction sets BOOLEARN_ISA may name on this machine, the best first.")
        .def_prop_ro(
            "isa", [](const BitProgram& self) { return std::string(self.isa()); }, "The instruction set in use.");
}
