#include "engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "alarm.h"
#include "crew.h"
#include "forward.h"
#include "noise.h"
#include "start.h"
#include "state.h"

namespace boolearn {
namespace {

template <class Kept> Kept kept(double value) { return static_cast<Kept>(value); }
template <> Half kept(double value) { return Half(static_cast<float>(value)); }

template <class Real, class Kept> class EngineOf final : public Engine {
  public:
    EngineOf(Problem problem, int threads)
        : problem_(std::move(problem)), net_(problem_.network), at_(problem_.items, kLanes<Real>), threads_(threads),
          state_(net_, at_), given_(problem_.input_mode == kGiven ? at_.groups * net_.inputs * at_.lanes : 0),
          target_(at_.groups * net_.outputs * at_.lanes), held_(target_.size()),
          leans_(std::max(problem_.output_flips ? target_.size() : 0, problem_.input_flips ? given_.size() : 0)),
          weights_(net_.weights()), sums_(net_.weights()), status_(kStatus),
          blocks_(net_, at_, problem_.input_mode, problem_.margins, state_, held_) {
        begin(1, 2, 3);
    }

    void begin(std::uint64_t key_w, std::uint64_t key_x, std::uint64_t key_y) override {
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.outputs; ++k)
                target_[place(i, k, net_.outputs)] = problem_.outputs[i * net_.outputs + k];
            if (problem_.input_mode == kGiven)
                for (int k = 0; k < net_.inputs; ++k)
                    given_[place(i, k, net_.inputs)] = static_cast<Real>(problem_.inputs[i * net_.inputs + k]);
        }
        set_edges([&](std::int64_t i, std::int64_t e, double& w, double& x) {
            w = random_start(key_w, i * net_.edges() + e);
            x = random_start(key_x, i * net_.edges() + e);
        });
        set_nodes(
            [&](std::int64_t i, int node) {
                if (node == 0) return -1.0;
                if (node <= net_.inputs && problem_.input_mode == kGiven)
                    return problem_.inputs[i * net_.inputs + node - 1];
                if (node >= net_.nodes - net_.outputs)
                    return double(problem_.outputs[i * net_.outputs + node - (net_.nodes - net_.outputs)]);
                return random_start(key_y, i * net_.nodes + node);
            },
            [](std::int64_t, int) { return 1.0; });
    }

    void set_point(const double* w, const double* x, const double* y, const double* g) override {
        set_edges([&](std::int64_t i, std::int64_t e, double& to_w, double& to_x) {
            to_w = w[i * net_.edges() + e];
            to_x = x[i * net_.edges() + e];
        });
        set_nodes([&](std::int64_t i, int node) { return y[i * net_.nodes + node]; },
                  [&](std::int64_t i, int neuron) { return g[i * net_.neurons + neuron]; });
    }

    Point point() const override {
        Point p;
        p.w.resize(at_.items * net_.edges());
        p.x.resize(p.w.size());
        p.y.resize(at_.items * net_.nodes);
        p.g.resize(at_.items * net_.neurons);
        for_each_edge([&](std::int64_t i, std::int64_t e, std::int64_t where) {
            const double s = state_.sd[where], d = state_.sd[where + at_.lanes];
            p.w[i * net_.edges() + e] = 0.5 * (s + d);
            p.x[i * net_.edges() + e] = 0.5 * (s - d);
        });
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.nodes; ++k) p.y[i * net_.nodes + k] = state_.y[place(i, k, net_.nodes)];
            for (int k = 0; k < net_.neurons; ++k) p.g[i * net_.neurons + k] = state_.g[place(i, k, net_.neurons)];
        }
        return p;
    }

    Progress iterate(std::int64_t n, double beta, double gamma, double stop_below,
                     const std::function<bool()>& interrupted) override {
        if (!is_open()) {
            open();
            concur(0);
        }
        status_[kPending] = kNothing;
        Progress progress{0, last_gaps(), std::numeric_limits<double>::infinity()};
        if (n <= 0 || stop_.exchange(false)) return progress;

        const Lease lease(wanted_threads(), threads_ > 0);
        const int threads = lease.threads();
        auto crew = crew_of(threads);
        bool halt = false;
        pool_.run(threads, [&](int me) {
            Relaxation metric{keep(), pull()};
            Alarm alarm;
            for (std::int64_t done = 1;; ++done) {
                if (me == 0) choose_flips();
                crew.normalise(me);
                crew.sweep(me, beta, metric);
                if (me == 0) halt = stop_.load(std::memory_order_relaxed) || (alarm.rings() && interrupted());
                crew.add(me);
                // Every thread works out the same gap from the same sums.
                const Gaps gap = gaps(blocks_.tally(), double(at_.items), net_);
                metric = relax_metric(gap, gamma);
                if (me == 0) {
                    progress.iterations = done;
                    progress.gap = gap;
                    progress.least_gap = std::min(progress.least_gap, gap.all);
                }
                if (done == n || gap.all < stop_below || halt) {
                    if (me == 0) sums_.set_tail(blocks_.tally(), double(at_.items));
                    return;
                }
            }
        });
        if (halt) stop_.store(false);
        concur(gamma);
        return progress;
    }

    void open() override {
        sweep_once(0, {keep(), pull()}, true);
        status_[kOpen] = 1;
        status_[kPending] = kOpened;
    }

    void divide(double beta) override {
        if (!is_open()) throw std::logic_error("divide() must follow open() and concur().");
        sweep_once(beta, {keep(), pull()}, false);
        status_[kPending] = kDivided;
    }

    Gaps concur(double gamma) override {
        const int pending = static_cast<int>(status_[kPending]);
        status_[kPending] = kNothing;
        if (pending == kReplaced) return last_gaps();
        // The sweep that opened the point moved nothing: it has no gap, and the metric stays.
        const Gaps gap = pending == kOpened ? Gaps::unknown() : gaps(sums_.tally(), sums_.items(), net_);
        const Relaxation metric = pending == kOpened ? Relaxation{} : relax_metric(gap, gamma);
        status_[kKeep] = metric.keep;
        status_[kPull] = metric.pull;
        set_gaps(gap);
        return gap;
    }

    void replace(std::int64_t first, std::int64_t count, const double* inputs, const signed char* targets) override {
        if (status_[kPending] == kDivided || status_[kPending] == kOpened)
            throw std::logic_error("replace() must not come between open() or divide() and concur().");
        const std::int64_t last = first + count;
        ForwardPass pass(net_, at_.lanes);
        for (std::int64_t group = first / at_.lanes; group * at_.lanes < last; ++group) {
            const std::int64_t from = std::max(first, group * at_.lanes), to = std::min(last, (group + 1) * at_.lanes);
            pass.run(weights_.data(), inputs + (from - first) * net_.inputs, static_cast<int>(to - from));
            put(group, static_cast<int>(from % at_.lanes), static_cast<int>(to - from), pass,
                targets + (from - first) * net_.outputs);
        }
        if (!is_open()) return;
        std::fill_n(blocks_.fresh.data() + first, count, Real(1));
        reopen_stale();
        std::fill_n(blocks_.fresh.data() + first, count, Real(0));
        status_[kPending] = kReplaced;
    }

    std::vector<char> flipped_outputs() const override {
        std::vector<char> flipped(at_.items * net_.outputs);
        for (std::int64_t i = 0; i < at_.items; ++i)
            for (int k = 0; k < net_.outputs; ++k)
                flipped[i * net_.outputs + k] = held_[place(i, k, net_.outputs)] != target_[place(i, k, net_.outputs)];
        return flipped;
    }

    std::vector<char> flipped_inputs() const override {
        std::vector<char> flipped(at_.items * net_.inputs);
        if (problem_.input_mode == kGiven)
            for (std::int64_t i = 0; i < at_.items; ++i)
                for (int k = 0; k < net_.inputs; ++k)
                    flipped[i * net_.inputs + k] =
                        state_.y_a[place(i, 1 + k, net_.nodes)] != given_[place(i, k, net_.inputs)];
        return flipped;
    }

    Array<double>& sums() override { return sums_.values; }
    bool is_open() const override { return status_[kOpen] != 0; }

    std::vector<double> weights() const override {
        std::vector<double> w(net_.outer_weights, 0.0);
        for (std::int64_t k = 0; k < net_.weights(); ++k) w[net_.outer[k]] = weights_[k];
        return w;
    }

    void set_weights(const double* weights) override {
        for (std::int64_t k = 0; k < net_.weights(); ++k) weights_[k] = weights[net_.outer[k]];
    }

    std::vector<double> input_values() const override {
        std::vector<double> v(at_.items * net_.inputs);
        for (std::int64_t i = 0; i < at_.items; ++i)
            for (int k = 0; k < net_.inputs; ++k) v[i * net_.inputs + k] = state_.y_a[place(i, 1 + k, net_.nodes)];
        return v;
    }

    std::vector<Field> fields() override {
        std::vector<Field> all;
        const auto add = [&](const char* name, auto& a) { all.push_back({name, a.data(), a.size(), sizeof a[0]}); };
        add("sd", state_.sd), add("y", state_.y), add("y_a", state_.y_a), add("g", state_.g), add("gap2", state_.gap2);
        add("alpha", state_.alpha), add("delta", state_.delta), add("heard", state_.heard);
        add("target", target_), add("held", held_);
        if (given_.size()) add("given", given_);
        add("weights", weights_), add("sums", sums_.values), add("status", status_);
        return all;
    }

    void restored() override { blocks_.touched(); }

    const Problem& problem() const override { return problem_; }
    int threads() const override { return wanted_threads(); }
    const char* isa() const override { return blocks_.isa(); }
    std::size_t bytes() const override {
        const std::size_t reals = 2 * state_.y.size() + 4 * state_.g.size() + state_.heard.size() + given_.size() +
                                  2 * target_.size() + leans_.size();
        const std::size_t doubles = weights_.size() + sums_.values.size() + problem_.inputs.size();
        return state_.sd.size() * sizeof(Kept) + reals * sizeof(Real) + doubles * sizeof(double) +
               problem_.outputs.size() + blocks_.bytes();
    }

  private:
    enum Status { kOpen, kPending, kKeep, kPull, kGap, kStatus = kGap + 4 };
    // What made the sums the next concur() is for.
    enum Pending { kNothing, kOpened, kDivided, kReplaced };

    double keep() const { return status_[kKeep]; }
    double pull() const { return status_[kPull]; }
    void set_gaps(const Gaps& gap) {
        const double numbers[] = {gap.all, gap.w, gap.x, gap.y};
        std::copy_n(numbers, 4, status_.data() + kGap);
    }
    Gaps last_gaps() const { return {status_[kGap], status_[kGap + 1], status_[kGap + 2], status_[kGap + 3]}; }

    Crew<Real, Kept> crew_of(int threads) { return {blocks_, scratch_, sums_, weights_.data(), threads}; }

    // A sweep that only opens the point needs no weights to move to.
    void sweep_once(double beta, Relaxation metric, bool opens) {
        const Lease lease(wanted_threads(), threads_ > 0);
        auto crew = crew_of(lease.threads());
        if (!opens) choose_flips();
        pool_.run(lease.threads(), [&](int me) {
            if (!opens) crew.normalise(me);
            crew.sweep(me, beta, metric);
            crew.add(me);
        });
        sums_.set_tail(blocks_.tally(), double(at_.items));
    }

    // The sums of this engine's items where some were replaced since the last sweep.
    void reopen_stale() {
        const Lease lease(std::max(1, std::min(wanted_threads(), blocks_.count_stale())), threads_ > 0);
        auto crew = crew_of(lease.threads());
        pool_.run(lease.threads(), [&](int me) {
            crew.reopen(me);
            crew.add(me);
        });
    }

    // What the data's projections hold in the iteration that begins. At inputs it is y that A projects, at
    // outputs the reflected y that B projects.
    void choose_flips() {
        if (problem_.output_flips)
            hold_data(at_, net_.outputs, problem_.output_flips, leans_.data(), [&](std::int64_t group) {
                const std::int64_t node = at_.line(group, net_.nodes - net_.outputs, net_.nodes),
                                   bit = at_.line(group, 0, net_.outputs);
                return OutputBits<Real>{state_.y.data() + node, state_.y_a.data() + node, target_.data() + bit,
                                        held_.data() + bit};
            });
        if (problem_.input_flips)
            hold_data(at_, net_.inputs, problem_.input_flips, leans_.data(), [&](std::int64_t group) {
                const std::int64_t node = at_.line(group, 1, net_.nodes);
                return InputBits<Real>{state_.y.data() + node, given_.data() + at_.line(group, 0, net_.inputs),
                                       state_.y_a.data() + node};
            });
    }

    // Some lanes of a group take what a forward pass gave, w = w_B and x = y of the sender.
    void put(std::int64_t group, int lane, int count, const ForwardPass& pass, const signed char* targets) {
        const std::int64_t tile = part_with(at_.groups, at_.tiles, group);
        blocks_.touched(tile);
        const auto each = [&](auto* line, auto value) {
            for (int k = 0; k < count; ++k) line[lane + k] = kept<std::decay_t<decltype(*line)>>(value(k));
        };
        const int first_output = net_.nodes - net_.outputs;
        for (int node = 0; node < net_.nodes; ++node) {
            const auto y = [&](int k) { return pass.y(node)[k]; };
            each(state_.y.data() + at_.line(group, node, net_.nodes), y);
            if (node <= net_.inputs) each(state_.y_a.data() + at_.line(group, node, net_.nodes), y);
            if (node >= 1 && node <= net_.inputs && given_.size())
                each(given_.data() + at_.line(group, node - 1, net_.inputs), y);
            if (node < first_output) continue;
            const auto target = [&](int k) { return targets[k * net_.outputs + node - first_output]; };
            each(target_.data() + at_.line(group, node - first_output, net_.outputs), target);
            each(held_.data() + at_.line(group, node - first_output, net_.outputs), target);
        }
        // A metric that is 1 once it has been relaxed.
        const double gap2 = pull() > 0 ? (1 - keep()) / pull() : 0;
        for (int q = 0; q < net_.neurons; ++q) {
            each(state_.g.data() + at_.line(group, q, net_.neurons), [](int) { return 1; });
            each(state_.gap2.data() + at_.line(group, q, net_.neurons), [&](int) { return gap2; });
            for (std::int64_t e = net_.start[q]; e < net_.start[q + 1]; ++e) {
                Kept* sd = state_.sd.data() + at_.edge(net_, tile, group, q, e);
                const double w = weights_[net_.weight[e]];
                const double* x = pass.y(net_.sender[e]);
                each(sd, [&](int k) { return w + x[k]; });
                each(sd + at_.lanes, [&](int k) { return w - x[k]; });
            }
        }
    }

    int wanted_threads() const {
        if (threads_ > 0) return threads_;
        // Two meetings of the threads cost about a microsecond: each must have some twenty to do.
        const double nanoseconds = double(at_.items) * (0.5 * net_.edges() + 5.0 * net_.neurons);
        return static_cast<int>(
            std::max(1.0, std::min({nanoseconds / 20000, double(available_cores()), double(at_.blocks)})));
    }

    // Place of (item, row) in an array [group][row][lane].
    std::int64_t place(std::int64_t item, std::int64_t row, std::int64_t rows) const {
        return at_.line(item / at_.lanes, row, rows) + item % at_.lanes;
    }

    template <class Visit> void for_each_edge(Visit visit) const {
        for (std::int64_t t = 0; t < at_.tiles; ++t) {
            const Range groups = at_.groups_of_tile(t);
            for (int k = 0; k < net_.neurons; ++k)
                for (std::int64_t group = groups.first; group < groups.last; ++group)
                    for (std::int64_t e = net_.start[k]; e < net_.start[k + 1]; ++e) {
                        const std::int64_t where = at_.edge(net_, t, group, k, e);
                        const std::int64_t last = std::min<std::int64_t>(at_.items, (group + 1) * at_.lanes);
                        for (std::int64_t i = group * at_.lanes; i < last; ++i) visit(i, e, where + i % at_.lanes);
                    }
        }
    }

    template <class Value> void set_edges(Value value) {
        std::fill_n(state_.sd.data(), state_.sd.size(), Kept(0));
        for_each_edge([&](std::int64_t i, std::int64_t e, std::int64_t where) {
            double w, x;
            value(i, e, w, x);
            state_.sd[where] = kept<Kept>(w + x);
            state_.sd[where + at_.lanes] = kept<Kept>(w - x);
        });
    }

    // Padding keeps a metric of zero, so that it counts in no sum.
    template <class Y, class G> void set_nodes(Y y_at, G g_at) {
        for (Array<Real>* a : {&state_.y, &state_.y_a, &state_.g, &state_.gap2, &state_.heard})
            std::fill_n(a->data(), a->size(), Real(0));
        for (Array<Real>* a : {&state_.alpha, &state_.delta}) std::fill_n(a->data(), a->size(), Real(1));
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.nodes; ++k) state_.y[place(i, k, net_.nodes)] = static_cast<Real>(y_at(i, k));
            for (int k = 0; k < net_.neurons; ++k) state_.g[place(i, k, net_.neurons)] = static_cast<Real>(g_at(i, k));
            state_.y_a[place(i, 0, net_.nodes)] = Real(-1);
            if (problem_.input_mode == kGiven)
                for (int k = 0; k < net_.inputs; ++k)
                    state_.y_a[place(i, 1 + k, net_.nodes)] = given_[place(i, k, net_.inputs)];
        }
        std::copy_n(target_.data(), target_.size(), held_.data());
        std::fill_n(status_.data(), status_.size(), 0.0);
        status_[kKeep] = 1;
        set_gaps(Gaps::unknown());
        weigh_start();
    }

    // Before the first iteration the weights are those B makes of the start.
    void weigh_start() {
        std::fill_n(sums_.values.data(), sums_.values.size(), 0.0);
        for (std::int64_t t = 0; t < at_.tiles; ++t) {
            const Range groups = at_.groups_of_tile(t);
            for (int q = 0; q < net_.neurons; ++q)
                for (std::int64_t group = groups.first; group < groups.last; ++group) {
                    const Real* g = state_.g.data() + at_.line(group, q, net_.neurons);
                    for (std::int64_t e = net_.start[q]; e < net_.start[q + 1]; ++e) {
                        const Kept* s = state_.sd.data() + at_.edge(net_, t, group, q, e);
                        double sum = 0;
                        for (int lane = 0; lane < at_.lanes; ++lane)
                            sum += double(g[lane]) * 0.5 * (double(s[lane]) + double(s[at_.lanes + lane]));
                        sums_.weights()[net_.weight[e]] += sum;
                    }
                }
        }
        for (const auto& row : net_.rows)
            concur_weights(net_, row, sums_.weights(), weights_.data(), blocks_.w_bar.data());
        std::fill_n(sums_.values.data(), sums_.values.size(), 0.0);
    }

    const Problem problem_;
    const Network& net_;
    const Layout at_;
    const int threads_;

    State<Real, Kept> state_;
    Array<Real> given_, target_;  // the data: [group][input or output][lane]
    Array<Real> held_;            // what B holds the outputs at: the data but for flipped bits
    Array<Real> leans_;           // scratch of choose_flips()
    Array<double> weights_;       // [weight] w_bar of the last iteration
    Sums sums_;                   // over all items
    Array<double> status_;        // what a snapshot needs besides the arrays
    Blocks<Real, Kept> blocks_;
    std::vector<Scratch<Real>> scratch_;  // [thread]
    Pool pool_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(Problem problem, Precision precision, int threads) {
    switch (precision) {
        case Precision::kHalf: return std::make_unique<EngineOf<float, Half>>(std::move(problem), threads);
        case Precision::kSingle: return std::make_unique<EngineOf<float, float>>(std::move(problem), threads);
        default: return std::make_unique<EngineOf<double, double>>(std::move(problem), threads);
    }
}

}  // namespace boolearn
