// What Python sees. Arrays are copied in and out; the lock is released while sampling.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bind.h"
#include "sampler.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace boolearn::gates {
namespace {

template <class T> using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A table of gates has a column for each input a gate can have and one for its sign: six, or ten with majorities of
// five.
std::size_t most_inputs(const Task& task) { return task.any_five() ? 5 : 3; }

template <class T> nb::object to_numpy(const std::vector<T>& values, std::size_t columns) {
    T* copy = new T[values.size() + 1];
    std::copy(values.begin(), values.end(), copy);
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    if (!columns) return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(copy, {values.size()}, owner));
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(copy, {values.size() / columns, columns}, owner));
}

void append(std::vector<std::int32_t>& to, const Gate& gate, std::size_t most) {
    const std::size_t size = static_cast<std::size_t>(gate.size());
    for (std::size_t k = 0; k < most; ++k) to.push_back(k < size ? gate.inputs[k] : -1);
    for (std::size_t k = 0; k < most; ++k) to.push_back(k < size ? gate.signs[k] : 0);
}

nb::object gates_to_numpy(const Task& task, const std::vector<Gate>& gates) {
    const std::size_t most = most_inputs(task);
    std::vector<std::int32_t> fields;
    for (const Gate& gate : gates) append(fields, gate, most);
    return to_numpy(fields, 2 * most);
}

std::vector<Gate> gates_from(const Task& task, const Table<std::int32_t>& fields) {
    const std::size_t most = most_inputs(task);
    if (fields.shape(1) != 2 * most)
        throw std::invalid_argument(most == 3 ? "gates must have six columns: three inputs, three signs"
                                              : "gates must have ten columns: five inputs, five signs");
    std::vector<Gate> gates(fields.shape(0));
    for (std::size_t i = 0; i < gates.size(); ++i)
        for (std::size_t k = 0; k < most; ++k) {
            gates[i].inputs[k] = fields(i, k);
            gates[i].signs[k] = static_cast<std::int8_t>(fields(i, k + most));
        }
    return gates;
}

Task make_task(int n_inputs, int n_outputs, Vector<std::int64_t> start, Vector<std::int32_t> sender, Table<bool> inputs,
               Table<bool> targets, const std::optional<Table<bool>>& open) {
    Wiring wiring;
    wiring.n_inputs = n_inputs;
    wiring.n_outputs = n_outputs;
    wiring.start.assign(start.data(), start.data() + start.size());
    wiring.sender.assign(sender.data(), sender.data() + sender.size());
    if (wiring.start.size() < 2 || wiring.start.front() != 0 ||
        wiring.start.back() != static_cast<std::int64_t>(sender.size()))
        throw std::invalid_argument("start must rise from 0 to the number of edges");
    for (int k = 0; k < wiring.n_neurons(); ++k)  // all of them, before an edge is read
        if (wiring.fan_in(k) < 1) throw std::invalid_argument("every neuron must receive an edge");
    for (int k = 0; k < wiring.n_neurons(); ++k)
        for (int j = 0; j < wiring.fan_in(k); ++j)
            if (wiring.senders(k)[j] < 0 || wiring.senders(k)[j] >= wiring.first_neuron() + k)
                throw std::invalid_argument("senders must come before the nodes they feed");
    if (n_outputs < 1 || n_outputs > wiring.n_neurons() || n_inputs < 1)
        throw std::invalid_argument("inputs and outputs must be nodes of the network");
    if (inputs.shape(0) != targets.shape(0) || inputs.shape(0) < 1 ||
        inputs.shape(1) != static_cast<std::size_t>(n_inputs) ||
        targets.shape(1) != static_cast<std::size_t>(n_outputs))
        throw std::invalid_argument("inputs and targets must have the shapes (items, n_inputs) and (items, n_outputs)");
    if (open && (open->shape(0) != targets.shape(0) || open->shape(1) != targets.shape(1)))
        throw std::invalid_argument("open must have the shape of the targets");
    return Task(std::move(wiring), static_cast<int>(inputs.shape(0)),
                reinterpret_cast<const std::uint8_t*>(inputs.data()),
                reinterpret_cast<const std::uint8_t*>(targets.data()),
                open ? reinterpret_cast<const std::uint8_t*>(open->data()) : nullptr);
}

void check_temperature(double temperature) {
    if (!(temperature > 0 && temperature < 1e6)) throw std::invalid_argument("the temperature must be above 0");
}

std::vector<Kind> kinds_in_use(const Task& task) {
    std::vector<Kind> kinds = {kConstant, kCopy, kAndOr, kMaj};
    if (task.any_five()) kinds.push_back(kMaj5);
    if (task.xors) kinds.push_back(kXor);
    return kinds;
}

void set_shares(Sampler& sampler, Vector<double> shares) {
    const std::vector<Kind> kinds = kinds_in_use(sampler.task());
    if (shares.size() != kinds.size())
        throw std::invalid_argument(
            "shares must be those of constants, copies, And/Or, Maj, and of Maj of five and Xor where these are "
            "allowed");
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (!(shares(k) > 0 && shares(k) <= 1e6)) throw std::invalid_argument("shares must be positive");
    for (std::size_t k = 0; k < kinds.size(); ++k) sampler.prior.share[kinds[k]] = shares(k);
}

}  // namespace
}  // namespace boolearn::gates

namespace boolearn {

using namespace gates;

void register_gates(nb::module_& module) {
    module.def("gates_isa", [] { return choose_counting().name; });
    nb::class_<Task>(module, "GateTask")
        .def(
            "__init__",
            [](Task* self, int n_inputs, int n_outputs, Vector<std::int64_t> start, Vector<std::int32_t> sender,
               Table<bool> inputs, Table<bool> targets, int most_enumerated, std::optional<Vector<bool>> five,
               int most_five, std::optional<Table<bool>> open, bool with_xors, int most_paired) {
                Task task = make_task(n_inputs, n_outputs, start, sender, inputs, targets, open);
                task.most_enumerated = most_enumerated;
                if (most_five < 5 || most_five > 32) throw std::invalid_argument("most_five must be from 5 to 32");
                task.most_five = most_five;
                if (most_paired < 2) throw std::invalid_argument("most_paired must be at least 2");
                task.xors = with_xors;
                task.most_paired = most_paired;
                if (five) {
                    if (five->size() + 1 != start.size())
                        throw std::invalid_argument("five must hold a truth value for each neuron");
                    task.allow_five(std::vector<char>(five->data(), five->data() + five->size()));
                }
                new (self) Task(std::move(task));
            },
            "n_inputs"_a, "n_outputs"_a, "start"_a, "sender"_a, "inputs"_a, "targets"_a, "most_enumerated"_a = 28,
            "five"_a = nb::none(), "most_five"_a = 10, "open"_a = nb::none(), "xor"_a = false, "most_paired"_a = 48);
    nb::class_<Sampler>(module, "GateSampler")
        .def(
            "__init__",
            [](Sampler* self, std::shared_ptr<Task> task, std::uint64_t seed, std::uint64_t stream) {
                new (self) Sampler(std::move(task), seed, stream);
            },
            "task"_a, "seed"_a, "stream"_a = 0)
        .def(
            "sweep",
            [](Sampler& self, int n, double temperature, double belief, bool until_right) {
                check_temperature(temperature);
                nb::gil_scoped_release unlocked;
                int done = 0;
                for (; done < n && !self.stop.load(std::memory_order_relaxed); ++done) {
                    if (until_right && self.circuit.errors() == 0) break;
                    self.sweep(temperature, until_right);
                    if (belief > 0) self.learn_prior(belief);
                }
                return done;
            },
            "n"_a, "temperature"_a, "belief"_a = 0.0, "until_right"_a = false)
        .def("candidates",
             [](Sampler& self, int neuron) {
                 if (neuron < 0 || neuron >= self.task().wiring.n_neurons())
                     throw std::invalid_argument("there is no such neuron");
                 const std::size_t most = most_inputs(self.task());
                 std::vector<std::int32_t> fields;
                 std::vector<std::int64_t> errors;
                 for (const auto& [gate, count] : self.candidates(neuron)) {
                     append(fields, gate, most);
                     errors.push_back(count);
                 }
                 return nb::make_tuple(to_numpy(fields, 2 * most), to_numpy(errors, 0));
             })
        .def("stop", [](Sampler& self) { self.stop = true; })
        .def(
            "weigh_wrong_bits",
            [](Sampler& self, int most) {
                if (most < 1 || most > 255) throw std::invalid_argument("weights must be from 1 to 255");
                self.circuit.weigh_wrong_bits(most);
            },
            "most"_a)
        .def("ease_weights", [](Sampler& self) { self.circuit.ease_weights(); })
        .def("clear_weights", [](Sampler& self) { self.circuit.clear_weights(); })
        .def_prop_rw(
            "weights",
            [](const Sampler& self) {
                return to_numpy(self.circuit.weights().list(), static_cast<std::size_t>(self.task().items));
            },
            [](Sampler& self, Table<std::uint8_t> weights) {
                const bool fits = weights.shape(0) == static_cast<std::size_t>(self.task().wiring.n_outputs) &&
                                  weights.shape(1) == static_cast<std::size_t>(self.task().items);
                if (!fits) throw std::invalid_argument("weights must have the shape (n_outputs, items)");
                if (std::count(weights.data(), weights.data() + weights.size(), 0))
                    throw std::invalid_argument("weights must be from 1 to 255");
                self.circuit.set_weights(weights.data());
            })
        .def_prop_ro("weighted", [](const Sampler& self) { return self.circuit.weighted_errors(); })
        .def_prop_ro("outputs",
                     [](const Sampler& self) {
                         const std::size_t items = static_cast<std::size_t>(self.task().items);
                         bool* bits = new bool[static_cast<std::size_t>(self.task().wiring.n_outputs) * items];
                         nb::capsule owner(bits, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
                         for (int o = 0; o < self.task().wiring.n_outputs; ++o) {
                             const Word* value = self.circuit.value(self.task().wiring.first_output() + o);
                             for (std::size_t i = 0; i < items; ++i)
                                 bits[static_cast<std::size_t>(o) * items + i] = value[i / 64] >> (i % 64) & 1;
                         }
                         return nb::cast(nb::ndarray<nb::numpy, bool, nb::ndim<2>>(
                             bits, {static_cast<std::size_t>(self.task().wiring.n_outputs), items}, owner));
                     })
        .def_prop_ro("errors", [](const Sampler& self) { return self.circuit.errors(); })
        .def_prop_rw(
            "gates", [](const Sampler& self) { return gates_to_numpy(self.task(), self.circuit.gates()); },
            [](Sampler& self, Table<std::int32_t> fields) { self.circuit.set_gates(gates_from(self.task(), fields)); })
        .def_prop_ro("counts",
                     [](const Sampler& self) {
                         std::vector<std::int64_t> counts;
                         for (Kind kind : kinds_in_use(self.task())) counts.push_back(self.circuit.count(kind));
                         return to_numpy(counts, 0);
                     })
        .def_prop_rw(
            "shares",
            [](const Sampler& self) {
                std::vector<double> shares;
                for (Kind kind : kinds_in_use(self.task())) shares.push_back(self.prior.share[kind]);
                return to_numpy(shares, 0);
            },
            &set_shares)
        .def_prop_rw(
            "idle", [](const Sampler& self) { return to_numpy(self.prior.idle, 0); },
            [](Sampler& self, Vector<double> idle) {
                if (idle.size() != self.prior.idle.size())
                    throw std::invalid_argument("idle must hold a number for each node");
                for (std::size_t k = 0; k < idle.size(); ++k)
                    if (!(idle(k) >= 0 && idle(k) <= kMostIdle))
                        throw std::invalid_argument("what idle nodes cost must be from 0 to 12");
                self.prior.idle.assign(idle.data(), idle.data() + idle.size());
            })
        .def_prop_rw(
            "price", [](const Sampler& self) { return self.prior.price; },
            [](Sampler& self, double price) {
                if (!(price >= 0 && price < 1e6)) throw std::invalid_argument("the price must be at least 0");
                self.prior.price = price;
            })
        .def_prop_rw(
            "random",
            [](const Sampler& self) {
                return to_numpy(std::vector<std::uint64_t>(self.random.state, self.random.state + 4), 0);
            },
            [](Sampler& self, Vector<std::uint64_t> state) {
                if (state.size() != 4) throw std::invalid_argument("the generator's state is four words");
                std::copy(state.data(), state.data() + 4, self.random.state);
            });
}

}  // namespace boolearn
