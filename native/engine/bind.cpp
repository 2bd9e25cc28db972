// The class Engine of the Python module: one call at a time, without the GIL while it works.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "arguments.h"
#include "bandwidth.h"
#include "bind.h"
#include "engine.h"
#include "layout.h"
#include "scored.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace boolearn {
namespace {

template <class T> nb::ndarray<nb::numpy, T> numpy(const T* from, std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (std::size_t n : shape) size *= n;
    T* data = new T[size];
    std::copy_n(from, size, data);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// The bits of half precision go through Python as integers.
template <class Visit> void with_type(const Field& f, Visit visit) {
    if (f.bytes == sizeof(Half))
        visit(static_cast<const std::uint16_t*>(f.data));
    else if (f.bytes == sizeof(float))
        visit(static_cast<const float*>(f.data));
    else
        visit(static_cast<const double*>(f.data));
}

Precision precision_of(const std::string& name) {
    if (name == "half") return Precision::kHalf;
    if (name == "single") return Precision::kSingle;
    require(name == "double",
            "The 'precision' parameter of Engine must be 'half', 'single' or 'double'. Got '" + name + "' instead.");
    return Precision::kDouble;
}

// Which items each of several engines holds, [engine][first, last], and in how many parts it hands over its sums.
nb::object shares_of(std::int64_t items, const std::string& precision, std::int64_t engines) {
    require(items >= 1 && engines >= 1, "The 'items' and 'engines' parameters of shares must be at least 1.");
    const Deal deal(items, precision_of(precision) == Precision::kDouble ? kLanes<double> : kLanes<float>);
    std::vector<std::int64_t> all;
    for (std::int64_t k = 0; k < engines; ++k) {
        const Range tiles = deal.share(engines, k);
        const Range blocks = part(deal.blocks, engines, k);
        all.push_back(deal.first_item(tiles.first));
        all.push_back(deal.first_item(tiles.last));
        all.push_back(deal.keeps_blocks(engines) ? blocks.size() : 1);
    }
    return nb::cast(numpy(static_cast<const std::int64_t*>(all.data()), {static_cast<std::size_t>(engines), 3}));
}

// The rows of a matrix added one after another: the order is what makes the sum the same everywhere.
nb::object add_rows(const Doubles& rows) {
    const std::size_t columns = rows.shape(1);
    std::vector<double> sum(columns, 0.0);
    if (rows.shape(0) > 0) std::copy_n(rows.data(), columns, sum.data());
    for (std::size_t r = 1; r < rows.shape(0); ++r)
        for (std::size_t k = 0; k < columns; ++k) sum[k] += rows.data()[r * columns + k];
    return nb::cast(numpy(static_cast<const double*>(sum.data()), {columns}));
}

// One engine belongs to one call at a time; only request_stop() may come from elsewhere.
class PyEngine {
  public:
    explicit PyEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

    template <class Work> auto alone(Work work) {
        struct Turn {
            std::atomic<bool>& busy;
            explicit Turn(std::atomic<bool>& b) : busy(b) {
                if (busy.exchange(true)) throw std::runtime_error("This Engine is at work in another thread.");
            }
            ~Turn() { busy.store(false); }
        } turn(busy_);
        return work(*engine_);
    }

    nb::tuple iterate(std::int64_t n, double beta, double gamma, double stop_below) {
        const Progress p = alone([&](Engine& engine) {
            nb::gil_scoped_release release;
            bool raised = false;
            const Progress progress = engine.iterate(n, beta, gamma, stop_below, [&] {
                nb::gil_scoped_acquire acquire;
                return raised = PyErr_CheckSignals() != 0;
            });
            interrupted_ = raised;
            return progress;
        });
        if (interrupted_) throw nb::python_error();
        return nb::make_tuple(p.iterations, p.gap.all, p.gap.w, p.gap.x, p.gap.y, p.least_gap);
    }

    nb::object open() {
        return sums_after([](Engine& e) { e.open(); });
    }
    nb::object divide(double beta) {
        return sums_after([&](Engine& e) { e.divide(beta); });
    }

    nb::tuple concur(const Vector<double>& total, double gamma) {
        return alone([&](Engine& e) {
            require(total.size() == e.sums().size(),
                    "The 'sums' parameter of concur must be what open() or divide() returned, added over engines.");
            std::copy_n(total.data(), total.size(), e.sums().data());
            const Gaps g = e.concur(gamma);
            return nb::make_tuple(g.all, g.w, g.x, g.y);
        });
    }

    nb::object cut_parts(const Vector<std::int64_t>& cuts) {
        return alone([&](Engine& e) {
            const auto columns = static_cast<std::int64_t>(e.sums().size()) - 1;
            bool rising = cuts.size() > 0 && cuts.data()[0] == 0 && cuts.data()[cuts.size() - 1] == columns;
            for (std::size_t k = 1; k < cuts.size(); ++k) rising = rising && cuts.data()[k - 1] <= cuts.data()[k];
            require(rising, "The 'cuts' parameter of cut_parts must rise from 0 to n_weights + 4.");
            const auto cut = e.cut_parts(cuts.data(), static_cast<std::int64_t>(cuts.size()) - 1);
            return nb::cast(numpy(cut.data(), {cut.size()}));
        });
    }

    nb::object start_sums() {
        return alone([](Engine& e) {
            const auto sums = e.start_sums();
            return nb::cast(numpy(sums.data(), {sums.size()}));
        });
    }
    void set_start(const Vector<double>& total) {
        alone([&](Engine& e) {
            require(total.size() + 5 == e.sums().size(),
                    "The 'total' parameter of set_start must be start_sums(), added.");
            e.set_start(total.data());
        });
    }

    nb::object leans(bool outputs, std::int64_t most) {
        return alone([&](Engine& e) {
            require(outputs || e.problem().input_mode == kGiven, "Free inputs do not lean.");
            require(most >= 0, "The 'most' parameter of leans must be at least 0.");
            const auto found = e.leans(outputs ? Side::kOutputs : Side::kInputs, most);
            return nb::cast(numpy(found.data(), {found.size()}));
        });
    }
    void hold(bool outputs, double least, std::int64_t equals) {
        alone([&](Engine& e) {
            require(outputs || e.problem().input_mode == kGiven, "Free inputs are not held.");
            e.hold(outputs ? Side::kOutputs : Side::kInputs, least, equals);
        });
    }

    void set_weights(const Vector<double>& weights) {
        alone([&](Engine& e) {
            require(weights.size() == static_cast<std::size_t>(e.problem().network.outer_weights),
                    "The 'weights' parameter of set_weights must have the shape (n_weights,).");
            for (std::size_t k = 0; k < weights.size(); ++k)
                require(std::isfinite(weights.data()[k]), "The 'weights' parameter of set_weights must be finite.");
            e.set_weights(weights.data());
        });
    }

    void set_margins(const Vector<double>& margins, bool project) {
        alone([&](Engine& e) {
            require(margins.size() == static_cast<std::size_t>(e.problem().network.neurons),
                    "The 'margins' parameter of set_margins must have the shape (n_neurons,).");
            for (std::size_t k = 0; k < margins.size(); ++k)
                require(margins.data()[k] > 0 && std::isfinite(margins.data()[k]),
                        "The 'margins' parameter of set_margins must be finite and above 0.");
            nb::gil_scoped_release release;
            e.set_margins(margins.data(), project);
        });
    }

    nb::object replace(std::int64_t first, const Matrix& inputs, const Matrix& targets) {
        const Problem& p = engine_->problem();
        const auto items = static_cast<std::int64_t>(targets.shape(0));
        require(first >= 0 && items <= p.items && first <= p.items - items,
                "The 'first' parameter of replace must be the number of an item, with room for the new ones.");
        require(targets.shape(1) == static_cast<std::size_t>(p.network.outputs),
                "The 'targets' parameter of replace must have the shape (items, n_outputs).");
        require(has_shape(inputs, items, p.network.inputs),
                "The 'inputs' parameter of replace must have the shape (items, n_inputs).");
        const std::vector<double> given = finite_numbers_of(inputs, "inputs", "replace");
        const std::vector<signed char> wanted = targets_of(targets, "targets", "replace");
        return sums_after([&](Engine& e) { e.replace(first, items, given.data(), wanted.data()); });
    }

    nb::tuple flipped() {
        return alone([](Engine& e) {
            const Problem& p = e.problem();
            const auto flags = [&](const std::vector<char>& v, int columns) {
                const std::unique_ptr<bool[]> bytes(new bool[v.size()]);
                std::copy(v.begin(), v.end(), bytes.get());
                return numpy(static_cast<const bool*>(bytes.get()),
                             {static_cast<std::size_t>(p.items), static_cast<std::size_t>(columns)});
            };
            return nb::make_tuple(flags(e.flipped_outputs(), p.network.outputs),
                                  flags(e.flipped_inputs(), p.network.inputs));
        });
    }

    nb::dict snapshot() {
        return alone([&](Engine& e) {
            nb::dict all;
            for (const Field& f : e.fields())
                with_type(f, [&](const auto* data) { all[f.name.c_str()] = nb::cast(numpy(data, {f.size})); });
            return all;
        });
    }

    void restore(const nb::dict& all) {
        alone([&](Engine& e) {
            // All is checked before anything is changed.
            std::vector<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>> arrays;
            for (const Field& f : e.fields()) {
                require(all.contains(f.name.c_str()), "The snapshot lacks '" + f.name + "'.");
                arrays.push_back(nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>(all[f.name.c_str()]));
                with_type(f, [&](const auto* data) {
                    require(arrays.back().dtype() == nb::dtype<std::decay_t<decltype(*data)>>() &&
                                arrays.back().size() == f.size,
                            "The snapshot belongs to another problem or precision: '" + f.name + "' does not fit.");
                });
            }
            std::size_t k = 0;
            for (const Field& f : e.fields()) {
                std::memcpy(f.data, arrays[k].data(), arrays[k].nbytes());
                ++k;
            }
            e.restored();
        });
    }

    nb::dict point() {
        return alone([&](Engine& e) {
            const Point p = e.point();
            const Network& net = e.problem().network;
            const std::size_t items = e.problem().items, edges = net.edges(), nodes = net.nodes, neurons = net.neurons;
            nb::dict all;
            all["w"] = numpy(p.w.data(), {items, edges});
            all["x"] = numpy(p.x.data(), {items, edges});
            all["y"] = numpy(p.y.data(), {items, nodes});
            all["g"] = numpy(p.g.data(), {items, neurons});
            return all;
        });
    }

    void set_point(const Doubles& w, const Doubles& x, const Doubles& y, const Doubles& g) {
        alone([&](Engine& e) {
            const Network& net = e.problem().network;
            const auto fits = [&](const Doubles& a, std::int64_t columns) {
                return a.shape(0) == static_cast<std::size_t>(e.problem().items) &&
                       a.shape(1) == static_cast<std::size_t>(columns);
            };
            require(fits(w, net.edges()) && fits(x, net.edges()) && fits(y, net.nodes) && fits(g, net.neurons),
                    "set_point takes w and x of shape (items, n_edges), y (items, n_nodes), g (items, n_neurons).");
            e.set_point(w.data(), x.data(), y.data(), g.data());
        });
    }

    void begin(std::uint64_t w, std::uint64_t x, std::uint64_t y) {
        alone([&](Engine& e) {
            nb::gil_scoped_release release;
            e.begin(w, x, y);
        });
    }

    nb::object weights() {
        return alone([](Engine& e) {
            const auto w = e.weights();
            return nb::cast(numpy(w.data(), {w.size()}));
        });
    }
    nb::object input_values() {
        return alone([](Engine& e) {
            const auto v = e.input_values();
            return nb::cast(numpy(v.data(), {static_cast<std::size_t>(e.problem().items),
                                             static_cast<std::size_t>(e.problem().network.inputs)}));
        });
    }

    Engine& engine() { return *engine_; }

  private:
    template <class Work> nb::object sums_after(Work work) {
        return alone([&](Engine& e) {
            {
                nb::gil_scoped_release release;
                work(e);
            }
            return nb::cast(numpy(e.sums().data(), {e.sums().size()}));
        });
    }

    std::unique_ptr<Engine> engine_;
    std::atomic<bool> busy_{false};
    bool interrupted_ = false;
};

}  // namespace
}  // namespace boolearn

void boolearn::register_engine(nb::module_& m) {
    m.def("seconds_of_pass", &seconds_of_pass, "bytes"_a, "threads"_a, "passes"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Seconds of one pass that reads, changes and writes back this number of bytes, shared by the threads.");
    m.def(
        "isa", [] { return std::string(choose_kernels().name); },
        "The instruction set in use; BOOLEARN_ISA forces a lower one.");

    m.def("shares", &shares_of, "items"_a, "precision"_a, "engines"_a,
          "For each of several engines: its first item, the one after its last, and the number of its parts.");
    m.def("add_rows", &add_rows, "rows"_a, "The rows of a matrix, added in their order.");

    nb::class_<ScoredItems>(m, "ScoredItems")
        .def(
            "__init__",
            [](ScoredItems* self, int nodes, int inputs, int outputs, Vector<std::int64_t> start,
               Vector<std::int32_t> sender, Vector<std::int32_t> tie, std::int64_t weights, nb::object given,
               Matrix targets, nb::object labels) {
                const auto items = static_cast<std::int64_t>(targets.shape(0));
                require(has_shape(targets, items, outputs),
                        "The 'targets' parameter of ScoredItems must have the shape (items, n_outputs).");
                std::vector<double> known;
                if (!given.is_none()) {
                    const Matrix data = nb::cast<Matrix>(given);
                    require(has_shape(data, items, inputs),
                            "The 'inputs' parameter of ScoredItems must have the shape (items, n_inputs).");
                    known = finite_numbers_of(data, "inputs", "ScoredItems");
                }
                std::vector<std::int64_t> classes;
                if (!labels.is_none()) classes = copy(nb::cast<Vector<std::int64_t>>(labels));
                require(labels.is_none() || static_cast<std::int64_t>(classes.size()) == items,
                        "The 'labels' parameter of ScoredItems must have one number per item.");
                new (self)
                    ScoredItems(Network(nodes, inputs, outputs, copy(start), copy(sender), copy(tie), weights), items,
                                std::move(known), targets_of(targets, "targets", "ScoredItems"), std::move(classes));
            },
            "n_nodes"_a, "n_inputs"_a, "n_outputs"_a, "start"_a, "sender"_a, "tie"_a, "n_weights"_a, "inputs"_a.none(),
            "targets"_a, "labels"_a.none())
        .def(
            "right",
            [](const ScoredItems& self, Vector<double> weights, nb::object inputs) {
                const Network& net = self.network();
                require(static_cast<std::int64_t>(weights.size()) == net.outer_weights,
                        "The 'weights' parameter of right must have one number per weight.");
                require(self.asks_for_inputs() == !inputs.is_none(),
                        "The 'inputs' parameter of right must be an array when the items have none, and else None.");
                std::vector<double> given;
                if (!inputs.is_none()) {
                    const Matrix data = nb::cast<Matrix>(inputs);
                    require(has_shape(data, self.items(), net.inputs),
                            "The 'inputs' parameter of right must have the shape (items, n_inputs).");
                    given = finite_numbers_of(data, "inputs", "right");
                }
                const nb::gil_scoped_release release;
                return self.right(weights.data(), given);
            },
            "weights"_a, "inputs"_a.none() = nb::none(), "How many answers are right with these weights.");

    nb::class_<PyEngine>(m, "Engine")
        .def(
            "__init__",
            [](PyEngine* self, int nodes, int inputs, int outputs, Vector<std::int64_t> start,
               Vector<std::int32_t> sender, Vector<std::int32_t> tie, std::int64_t weights, Vector<double> margins,
               int input_mode, nb::object given, Matrix wanted, std::int64_t output_flips, std::int64_t input_flips,
               double support, bool classes, const std::string& precision, int threads, std::int64_t all_items,
               std::int64_t engines, std::int64_t engine) {
                require(threads >= 0 && threads <= 1024,
                        "The 'threads' parameter of Engine must be between 0 (automatic) and 1024. Got " +
                            std::to_string(threads) + " instead.");
                require(all_items >= 0 && engines >= 1 && engine >= 0 && engine < engines,
                        "The 'engine' parameter of Engine must be the number of one of 'engines'.");
                Problem problem = make_problem(nodes, inputs, outputs, start, sender, tie, weights, margins, input_mode,
                                               given, wanted, output_flips, input_flips, support, classes);
                problem.share = {all_items, engines, engine};
                new (self) PyEngine(make_engine(std::move(problem), precision_of(precision), threads));
            },
            "n_nodes"_a, "n_inputs"_a, "n_outputs"_a, "start"_a, "sender"_a, "tie"_a, "n_weights"_a, "margins"_a,
            "input_mode"_a, "inputs"_a.none(), "outputs"_a, "output_flips"_a = 0, "input_flips"_a = 0,
            "support"_a = std::numeric_limits<double>::infinity(), "classes"_a = false, "precision"_a = "single",
            "threads"_a = 0, "all_items"_a = 0, "engines"_a = 1, "engine"_a = 0)
        .def("begin", &PyEngine::begin, "key_w"_a, "key_x"_a, "key_y"_a, "The random start of these keys.")
        .def("iterate", &PyEngine::iterate, "n"_a, "beta"_a, "gamma"_a, "stop_below"_a = 0.0,
             "Up to n iterations: (iterations done, gap, gap_w, gap_x, gap_y, least gap of this call).")
        .def(
            "request_stop", [](PyEngine& self) { self.engine().request_stop(); },
            "Ends iterate() after the iteration it is in; may be called from any thread.")
        .def("open", &PyEngine::open,
             "Projects a fresh point to A and returns the sums set B needs, additive over engines that hold other "
             "items.")
        .def("divide", &PyEngine::divide, "beta"_a, "Moves the point, projects it to A again and returns the sums.")
        .def("concur", &PyEngine::concur, "sums"_a, "gamma"_a,
             "Takes the sums over all engines; returns (gap, gap_w, gap_x, gap_y).")
        .def("cut_parts", &PyEngine::cut_parts, "cuts"_a,
             "The sums in parts, a row of n_weights + 4 columns each; the columns between two cuts of all rows, then "
             "those between the next two.")
        .def("start_sums", &PyEngine::start_sums, "The sums of the weights at the start, additive over engines.")
        .def("set_start", &PyEngine::set_start, "total"_a, "Takes the start_sums of all engines.")
        .def("leans", &PyEngine::leans, "outputs"_a, "most"_a,
             "How far bits lean to their flipped side, for those that do, the largest.")
        .def("hold", &PyEngine::hold, "outputs"_a, "least"_a, "equals"_a,
             "Flips what leans more than the least, and the first of those that lean as much.")
        .def("weights", &PyEngine::weights, "The weights of the last iteration on set B.")
        .def("input_values", &PyEngine::input_values,
             "The inputs of the last iteration on set A, (items, n_inputs): the codes in use when inputs are free.")
        .def("set_weights", &PyEngine::set_weights, "weights"_a,
             "The weights replace() is to start from, until the next iteration.")
        .def("replace", &PyEngine::replace, "first"_a, "inputs"_a, "targets"_a,
             "New items in place of old ones, at the point of a forward pass; returns the sums of this engine's items "
             "for concur(), which iterate() does without.")
        .def("set_margins", &PyEngine::set_margins, "margins"_a, "project"_a = true,
             "Other margins from the next iteration on; without project, the point was restored and has them already.")
        .def("flipped", &PyEngine::flipped,
             "Bits held flipped in the last iteration: (items, n_outputs) and (items, n_inputs).")
        .def("point", &PyEngine::point, "The variables w, x, y and the metric g, in double precision and plain order.")
        .def("set_point", &PyEngine::set_point, "w"_a, "x"_a, "y"_a, "g"_a)
        .def("snapshot", &PyEngine::snapshot, "The whole state as a dict of arrays.")
        .def("restore", &PyEngine::restore, "snapshot"_a, "Continues, bit for bit, where the snapshot was taken.")
        .def_prop_ro(
            "threads", [](PyEngine& self) { return self.engine().threads(); },
            "Threads iterate() uses when the machine is free.")
        .def_prop_ro("isa", [](PyEngine& self) { return std::string(self.engine().isa()); })
        .def_prop_ro(
            "nbytes", [](PyEngine& self) { return self.engine().bytes(); }, "Bytes of memory the engine keeps.");
}
