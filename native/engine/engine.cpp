#include "engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "alarm.h"
#include "claims.h"
#include "start.h"
#include "state.h"
#include "threads.h"

namespace boolearn {
namespace {

template <class Real> SweepFunction<Real> sweep_of(const Kernels&);
template <> SweepFunction<float> sweep_of(const Kernels& k) { return k.sweep_single; }
template <> SweepFunction<double> sweep_of(const Kernels& k) { return k.sweep_double; }

template <class Real> class EngineOf final : public Engine {
  public:
    EngineOf(Problem problem, int threads)
        : problem_(std::move(problem)), net_(problem_.network), at_(problem_.items, kLanes<Real>), wiring_(net_.wiring(problem_.input_mode)),
          kernels_(choose_kernels()), sweep_(sweep_of<Real>(kernels_)), threads_(threads), state_(net_, at_),
          target_(at_.groups * net_.outputs * at_.lanes), live_(at_.groups * at_.lanes), two_mu_(net_.neurons),
          w_bar_(net_.edges()), weights_(net_.weights()), sums_(net_.weights()), block_sums_(at_.blocks * net_.weights()),
          block_tally_(at_.blocks), status_(kStatus) {
        for (int k = 0; k < net_.neurons; ++k) two_mu_[k] = static_cast<Real>(2 * problem_.margins[k]);
        for (std::int64_t i = 0; i < at_.items; ++i) {
            live_[i] = 1;
            for (int k = 0; k < net_.outputs; ++k) target_[place(i, k, net_.outputs)] = problem_.outputs[i * net_.outputs + k];
        }
        row_weights_.push_back(0);
        for (const auto& row : net_.rows) row_weights_.push_back(row.last);
        begin(1, 2, 3);
    }

    void begin(std::uint64_t key_w, std::uint64_t key_x, std::uint64_t key_y) override {
        set_edges([&](std::int64_t i, std::int64_t e, double& w, double& x) {
            w = random_start(key_w, i * net_.edges() + e);
            x = random_start(key_x, i * net_.edges() + e);
        });
        set_nodes([&](std::int64_t i, int node) {
            if (node == 0) return -1.0;
            if (node <= net_.inputs && problem_.input_mode == kGiven) return problem_.inputs[i * net_.inputs + node - 1];
            if (node >= net_.nodes - net_.outputs) return double(problem_.outputs[i * net_.outputs + node - (net_.nodes - net_.outputs)]);
            return random_start(key_y, i * net_.nodes + node);
        }, [](std::int64_t, int) { return 1.0; });
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

    Progress iterate(std::int64_t n, double beta, double gamma, double stop_below, const std::function<bool()>& interrupted) override {
        if (!is_open()) {
            open();
            concur(0);
        }
        Progress progress{0, last_gaps(), std::numeric_limits<double>::infinity()};
        if (n <= 0 || stop_.exchange(false)) return progress;

        const Lease lease(wanted_threads(), threads_ > 0);
        const int threads = lease.threads();
        Crew crew(*this, threads);
        bool halt = false;
        pool_.run(threads, [&](int me) {
            Relaxation metric{keep(), pull()};
            Alarm alarm;
            for (std::int64_t done = 1;; ++done) {
                crew.normalise(me);
                crew.sweep(me, beta, metric);
                if (me == 0) halt = stop_.load(std::memory_order_relaxed) || (alarm.rings() && interrupted());
                crew.add(me);
                // Every thread works out the same gap from the same sums.
                const Gaps gap = gaps(crew.tally(), double(at_.items), net_);
                metric = relax_metric(gap, gamma);
                if (me == 0) {
                    progress.iterations = done;
                    progress.gap = gap;
                    progress.least_gap = std::min(progress.least_gap, gap.all);
                }
                if (done == n || gap.all < stop_below || halt) {
                    if (me == 0) sums_.set_tail(crew.tally(), double(at_.items));
                    return;
                }
            }
        });
        if (halt) stop_.store(false);
        concur(gamma);
        return progress;
    }

    void open() override {
        const Relaxation metric{keep(), pull()};
        sweep_once(0, metric);
        status_[kOpen] = 1;
        status_[kFresh] = 1;
    }

    void divide(double beta) override {
        if (!is_open()) throw std::logic_error("divide() must follow open() and concur().");
        sweep_once(beta, {keep(), pull()});
    }

    Gaps concur(double gamma) override {
        // The sweep that opened the point moved nothing: it has no gap, and the metric stays.
        const bool fresh = status_[kFresh] != 0;
        const Gaps gap = fresh ? Gaps::unknown() : gaps(sums_.tally(), sums_.items(), net_);
        const Relaxation metric = fresh ? Relaxation{} : relax_metric(gap, gamma);
        status_[kFresh] = 0;
        status_[kKeep] = metric.keep;
        status_[kPull] = metric.pull;
        set_gaps(gap);
        return gap;
    }

    Array<double>& sums() override { return sums_.values; }
    bool is_open() const override { return status_[kOpen] != 0; }

    std::vector<double> weights() const override {
        std::vector<double> w(net_.outer_weights, 0.0);
        for (std::int64_t k = 0; k < net_.weights(); ++k) w[net_.outer[k]] = weights_[k];
        return w;
    }

    std::vector<double> input_values() const override {
        std::vector<double> v(at_.items * net_.inputs);
        for (std::int64_t i = 0; i < at_.items; ++i)
            for (int k = 0; k < net_.inputs; ++k) v[i * net_.inputs + k] = state_.y_a[place(i, 1 + k, net_.nodes)];
        return v;
    }

    std::vector<Field> fields() override {
        std::vector<Field> all;
        const auto real = [&](const char* name, Array<Real>& a) { all.push_back({name, a.data(), a.size(), false}); };
        const auto wide = [&](const char* name, Array<double>& a) { all.push_back({name, a.data(), a.size(), true}); };
        real("sd", state_.sd), real("y", state_.y), real("y_a", state_.y_a), real("g", state_.g), real("gap2", state_.gap2);
        real("alpha", state_.alpha), real("delta", state_.delta), real("heard", state_.heard);
        wide("weights", weights_), wide("sums", sums_.values), wide("status", status_);
        return all;
    }

    const Problem& problem() const override { return problem_; }
    int lanes() const override { return at_.lanes; }
    int threads() const override { return wanted_threads(); }
    const char* isa() const override { return kernels_.name; }
    std::size_t bytes() const override {
        const std::size_t reals = state_.sd.size() + 2 * state_.y.size() + 4 * state_.g.size() + state_.heard.size() + target_.size() + live_.size() + w_bar_.size();
        return reals * sizeof(Real) + (weights_.size() + sums_.values.size() + block_sums_.size()) * sizeof(double) + problem_.inputs.size() * sizeof(double) + problem_.outputs.size();
    }

  private:
    enum Status { kOpen, kFresh, kKeep, kPull, kGap, kStatus = kGap + 4 };

    double keep() const { return status_[kKeep]; }
    double pull() const { return status_[kPull]; }
    void set_gaps(const Gaps& gap) {
        const double numbers[] = {gap.all, gap.w, gap.x, gap.y};
        std::copy_n(numbers, 4, status_.data() + kGap);
    }
    Gaps last_gaps() const { return {status_[kGap], status_[kGap + 1], status_[kGap + 2], status_[kGap + 3]}; }

    // The steps of an iteration for the threads of one call. Rows and blocks are shared out; a row's sums
    // are added and its weights normalised by the same thread, so two meetings an iteration are enough.
    class Crew {
      public:
        Crew(EngineOf& engine, int threads) : self(engine), threads_(threads), barrier_(threads), claims_(threads) {
            while (static_cast<int>(self.scratch_.size()) < threads) self.scratch_.emplace_back(self.net_, self.at_.lanes);
        }
        void normalise(int me) {
            if (me == 0) claims_.reset();
            const Range rows = my_rows(me);
            for (std::int64_t r = rows.first; r < rows.last; ++r)
                concur_weights(self.net_, self.net_.rows[r], self.sums_.weights(), self.weights_.data(), self.w_bar_.data());
            barrier_.wait();
        }
        void sweep(int me, double beta, Relaxation metric) {
            const Step<Real> step{Real(beta), Real(metric.keep), Real(metric.pull), self.w_bar_.data(), self.two_mu_.data()};
            claims_.each(self.at_.blocks, me, [&](std::int64_t block) { self.sweep_block(block, step, self.scratch_[me]); });
        }
        void add(int me) {
            barrier_.wait();
            const Range rows = my_rows(me);
            const std::int64_t first = self.row_weights_[rows.first], last = self.row_weights_[rows.last], stride = self.net_.weights();
            // In chunks that stay in the first cache while block after block is added.
            for (std::int64_t from = first; from < last; from += 1024) {
                const std::int64_t n = std::min<std::int64_t>(1024, last - from);
                double* to = self.sums_.weights() + from;
                const double* of_block = self.block_sums_.data() + from;
                std::copy_n(of_block, n, to);
                for (std::int64_t block = 1; block < self.at_.blocks; ++block) {
                    of_block += stride;
                    for (std::int64_t k = 0; k < n; ++k) to[k] += of_block[k];
                }
            }
        }
        Tally tally() const {
            Tally sum{};
            for (std::int64_t block = 0; block < self.at_.blocks; ++block) {
                const Tally& t = self.block_tally_[block];
                sum = {sum.edges2 + t.edges2, sum.cross + t.cross, sum.neurons2 + t.neurons2, sum.inputs2 + t.inputs2};
            }
            return sum;
        }

      private:
        // Rows of equal numbers of weights, nearly.
        Range my_rows(int me) const {
            const auto row_at = [&](std::int64_t weight) {
                return std::lower_bound(self.row_weights_.begin(), self.row_weights_.end(), weight) - self.row_weights_.begin();
            };
            const Range w = part(self.net_.weights(), threads_, me);
            return {row_at(w.first), row_at(w.last)};
        }
        EngineOf& self;
        const int threads_;
        Barrier barrier_;
        Claims claims_;
    };

    void sweep_once(double beta, Relaxation metric) {
        const Lease lease(wanted_threads(), threads_ > 0);
        Crew crew(*this, lease.threads());
        pool_.run(lease.threads(), [&](int me) {
            crew.normalise(me);
            crew.sweep(me, beta, metric);
            crew.add(me);
        });
        sums_.set_tail(crew.tally(), double(at_.items));
    }

    void sweep_block(std::int64_t block, const Step<Real>& step, Scratch<Real>& scratch) {
        const Workspace<Real> work{scratch.y_bar.data(), scratch.row.data(), scratch.audience_g.data()};
        double* sums = block_sums_.data() + block * net_.weights();
        std::fill_n(sums, net_.weights(), 0.0);
        Tally tally{};
        const Range tiles = at_.tiles_of_block(block);
        for (std::int64_t t = tiles.first; t < tiles.last; ++t) {
            const Range groups = at_.groups_of_tile(t);
            const std::int64_t g = groups.first;
            const std::int64_t neuron = at_.line(g, 0, net_.neurons);
            const Tile<Real> tile{
                static_cast<int>(groups.size()),
                state_.sd.data() + at_.line(g, 0, 2 * net_.edges()),
                state_.y.data() + at_.line(g, 0, net_.nodes),
                state_.y_a.data() + at_.line(g, 0, net_.nodes),
                state_.g.data() + neuron,
                state_.gap2.data() + neuron,
                state_.alpha.data() + neuron,
                state_.delta.data() + neuron,
                state_.heard.data() + at_.line(g, 0, net_.nodes - net_.outputs),
                target_.data() + at_.line(g, 0, net_.outputs),
                live_.data() + g * at_.lanes,
            };
            sweep_(wiring_, step, tile, work, sums, tally);
        }
        block_tally_[block] = tally;
    }

    int wanted_threads() const {
        if (threads_ > 0) return threads_;
        // Two meetings of the threads cost about a microsecond: each must have some twenty to do.
        const double nanoseconds = double(at_.items) * (0.5 * net_.edges() + 5.0 * net_.neurons);
        return static_cast<int>(std::max(1.0, std::min({nanoseconds / 20000, double(available_cores()), double(at_.blocks)})));
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
        std::fill_n(state_.sd.data(), state_.sd.size(), Real(0));
        for_each_edge([&](std::int64_t i, std::int64_t e, std::int64_t where) {
            double w, x;
            value(i, e, w, x);
            state_.sd[where] = static_cast<Real>(w + x);
            state_.sd[where + at_.lanes] = static_cast<Real>(w - x);
        });
    }

    // Padding keeps a metric of zero, so that it counts in no sum.
    template <class Y, class G> void set_nodes(Y y_at, G g_at) {
        for (Array<Real>* a : {&state_.y, &state_.y_a, &state_.g, &state_.gap2, &state_.heard}) std::fill_n(a->data(), a->size(), Real(0));
        for (Array<Real>* a : {&state_.alpha, &state_.delta}) std::fill_n(a->data(), a->size(), Real(1));
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.nodes; ++k) state_.y[place(i, k, net_.nodes)] = static_cast<Real>(y_at(i, k));
            for (int k = 0; k < net_.neurons; ++k) state_.g[place(i, k, net_.neurons)] = static_cast<Real>(g_at(i, k));
            state_.y_a[place(i, 0, net_.nodes)] = Real(-1);
            if (problem_.input_mode == kGiven)
                for (int k = 0; k < net_.inputs; ++k) state_.y_a[place(i, 1 + k, net_.nodes)] = static_cast<Real>(problem_.inputs[i * net_.inputs + k]);
        }
        std::fill_n(sums_.values.data(), sums_.values.size(), 0.0);
        std::fill_n(weights_.data(), weights_.size(), 0.0);
        std::fill_n(status_.data(), status_.size(), 0.0);
        status_[kKeep] = 1;
        set_gaps(Gaps::unknown());
    }

    const Problem problem_;
    const Network& net_;
    const Layout at_;
    const Wiring wiring_;
    const Kernels& kernels_;
    const SweepFunction<Real> sweep_;
    const int threads_;

    State<Real> state_;
    Array<Real> target_, live_, two_mu_, w_bar_;
    Array<double> weights_;                     // [weight] w_bar of the last iteration
    Sums sums_;                                 // over all items
    Array<double> block_sums_;                  // [block][weight]
    std::vector<Tally> block_tally_;
    Array<double> status_;                      // what a snapshot needs besides the arrays
    std::vector<std::int64_t> row_weights_;     // [row class] its first weight
    std::vector<Scratch<Real>> scratch_;        // [thread]
    Pool pool_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(Problem problem, bool single, int threads) {
    if (single) return std::make_unique<EngineOf<float>>(std::move(problem), threads);
    return std::make_unique<EngineOf<double>>(std::move(problem), threads);
}

}  // namespace boolearn
