#include "engine.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "alarm.h"
#include "crew.h"
#include "noise.h"
#include "packing.h"
#include "start.h"
#include "state.h"
#include "status.h"

namespace boolearn {
namespace {

Deal deal_of(const Problem& problem, int lanes) { return Deal(problem.all_items(), lanes); }

bool keeps_blocks(const Problem& problem, int lanes) {
    return deal_of(problem, lanes).keeps_blocks(problem.share.engines);
}

Layout layout_of(const Problem& problem, int lanes) {
    const Deal deal = deal_of(problem, lanes);
    const Layout layout(deal, deal.share(problem.share.engines, problem.share.engine), keeps_blocks(problem, lanes));
    if (layout.items != problem.items) throw std::invalid_argument("An engine must have the items of its share.");
    return layout;
}

template <class Real, class Kept> class EngineOf final : public Engine {
  public:
    EngineOf(Problem problem, int threads)
        : problem_(std::move(problem)), net_(problem_.network), at_(layout_of(problem_, kLanes<Real>)),
          threads_(threads), state_(net_, at_, problem_.input_mode), packing_(problem_, at_, state_),
          flips_(problem_, at_), weights_(net_.weights()), sums_(net_.weights()), blocks_(problem_, at_, state_) {
        begin(1, 2, 3);
    }

    void begin(std::uint64_t key_w, std::uint64_t key_x, std::uint64_t key_y) override {
        packing_.pack_data();
        const std::int64_t before = at_.first_item;
        const auto edge = [&](std::int64_t i, std::int64_t e) {
            const std::int64_t counter = (before + i) * net_.edges() + e;
            return EdgeValue{random_start(key_w, counter), random_start(key_x, counter)};
        };
        const int first_output = net_.nodes - net_.outputs;
        const auto y = [&](std::int64_t i, int node) -> double {
            if (node == 0) return -1;
            if (node <= net_.inputs && problem_.input_mode == kGiven)
                return problem_.inputs[i * net_.inputs + node - 1];
            if (node >= first_output)
                if (const int wanted = problem_.outputs[i * net_.outputs + node - first_output]) return wanted;
            return random_start(key_y, (before + i) * net_.nodes + node);
        };
        start_from(edge, y, [](std::int64_t, int) { return 1.0; });
    }

    void set_point(const double* w, const double* x, const double* y, const double* g) override {
        start_from(
            [&](std::int64_t i, std::int64_t e) { return EdgeValue{w[i * net_.edges() + e], x[i * net_.edges() + e]}; },
            [&](std::int64_t i, int node) { return y[i * net_.nodes + node]; },
            [&](std::int64_t i, int neuron) { return g[i * net_.neurons + neuron]; });
    }

    Point point() const override { return packing_.unpack_point(); }

    Progress iterate(std::int64_t n, double beta, double gamma, double stop_below,
                     const std::function<bool()>& interrupted) override {
        if (!is_open()) {
            open();
            concur(0);
        }
        status_.pending = Status::kNothing;
        Progress progress{0, status_.gap, std::numeric_limits<double>::infinity()};
        if (n <= 0 || stop_.exchange(false)) return progress;

        const Lease lease(wanted_threads(), threads_ > 0);
        auto crew = crew_of(lease.threads());
        bool halt = false;
        pool_.run(lease.threads(), [&](int me) {
            Relaxation metric = status_.metric;
            Alarm alarm;
            for (std::int64_t done = 1;; ++done) {
                if (me == 0) flips_.choose(state_);
                crew.normalise(me);
                crew.sweep(me, beta, metric);
                if (me == 0) halt = stop_.load(std::memory_order_relaxed) || (alarm.rings() && interrupted());
                crew.add(me);
                // Every thread works out the same gap from the same sums.
                const Gaps gap = gaps_of(blocks_.tally(), double(at_.items), net_);
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
        sweep_once(0, true);
        status_.open = 1;
        status_.pending = Status::kOpened;
    }

    void divide(double beta) override {
        if (!is_open()) throw std::logic_error("divide() must follow open() and concur().");
        sweep_once(beta, false);
        status_.pending = Status::kDivided;
    }

    Gaps concur(double gamma) override {
        const double pending = status_.pending;
        status_.pending = Status::kNothing;
        if (pending == Status::kReplaced) return status_.gap;
        // The sweep that opened the point moved nothing: it has no gap, and the metric stays.
        const bool opened = pending == Status::kOpened;
        status_.gap = opened ? Gaps::unknown() : gaps_of(sums_.tally(), sums_.items(), net_);
        status_.metric = opened ? Relaxation{} : relax_metric(status_.gap, gamma);
        return status_.gap;
    }

    void replace(std::int64_t first, std::int64_t count, const double* inputs, const signed char* targets) override {
        if (status_.pending == Status::kDivided || status_.pending == Status::kOpened)
            throw std::logic_error("replace() must not come between open() or divide() and concur().");
        // With these gaps the metric of the new items is 1 once it has been relaxed.
        const auto [keep, pull] = status_.metric;
        const double gap2 = pull > 0 ? (1 - keep) / pull : 0;
        const std::int64_t last = first + count;
        ForwardPass pass(net_, at_.lanes);
        for (std::int64_t group = first / at_.lanes; group * at_.lanes < last; ++group) {
            const std::int64_t from = std::max(first, group * at_.lanes), to = std::min(last, (group + 1) * at_.lanes);
            const int lane = static_cast<int>(from % at_.lanes), lanes = static_cast<int>(to - from);
            pass.run(weights_.data(), inputs + (from - first) * net_.inputs, lanes);
            packing_.pack_pass(group, lane, lanes, pass, weights_.data(), targets + (from - first) * net_.outputs,
                               gap2);
            blocks_.mark_stale(at_.block_of_group(group));
        }
        if (is_open()) project_fresh(first, count);
    }

    void set_margins(const double* margins, bool project) override {
        if (status_.pending == Status::kDivided || status_.pending == Status::kOpened)
            throw std::logic_error("set_margins() must not come between open() or divide() and concur().");
        blocks_.set_margins(margins);
        if (!project || !is_open()) return;
        blocks_.mark_all_stale();
        project_fresh(0, at_.items);
    }

    std::vector<char> flipped_outputs() const override { return packing_.flipped_outputs(); }
    std::vector<char> flipped_inputs() const override { return packing_.flipped_inputs(); }
    std::vector<double> input_values() const override { return packing_.unpack_inputs(); }

    Array<double>& sums() override { return sums_.values; }
    bool is_open() const override { return status_.open != 0; }

    std::int64_t parts() const override { return keeps_blocks(problem_, at_.lanes) ? at_.blocks : 1; }

    std::vector<double> cut_parts(const std::int64_t* cuts, std::int64_t pieces) const override {
        const bool whole = !keeps_blocks(problem_, at_.lanes);
        std::vector<double> cut;
        cut.reserve(parts() * (net_.weights() + 4));
        for (std::int64_t piece = 0; piece < pieces; ++piece)
            for (std::int64_t row = 0; row < parts(); ++row) {
                const double* sums = whole ? sums_.values.data() : blocks_.sums_of(row);
                const Tally t = whole ? blocks_.tally() : blocks_.tally_of(row);
                const double tail[] = {t.edges2, t.cross, t.neurons2, t.inputs2};
                const std::int64_t from = cuts[piece], to = cuts[piece + 1], end = net_.weights();
                cut.insert(cut.end(), sums + std::min(from, end), sums + std::min(to, end));
                cut.insert(cut.end(), tail + std::max(from - end, std::int64_t(0)),
                           tail + std::max(to - end, std::int64_t(0)));
            }
        return cut;
    }

    std::vector<double> start_sums() const override {
        std::vector<double> sums(net_.weights(), 0.0);
        packing_.add_weights(sums.data());
        return sums;
    }
    void set_start(const double* total) override {
        for (const auto& row : net_.rows)
            normalise_row(net_, row, problem_.support, total, weights_.data(), blocks_.w_bar.data());
    }

    std::vector<double> leans(Side side, std::int64_t most) override { return flips_.leans(state_, side, most); }
    void hold(Side side, double least, std::int64_t equals) override { flips_.hold(state_, side, least, equals); }

    std::vector<double> weights() const override {
        std::vector<double> w(net_.outer_weights, 0.0);
        for (std::int64_t k = 0; k < net_.weights(); ++k) w[net_.outer[k]] = weights_[k];
        return w;
    }

    void set_weights(const double* weights) override {
        for (std::int64_t k = 0; k < net_.weights(); ++k) weights_[k] = weights[net_.outer[k]];
    }

    std::vector<Field> fields() override {
        std::vector<Field> all;
        const auto add = [&](const char* name, auto& a) { all.push_back({name, a.data(), a.size(), sizeof a[0]}); };
        add("sd", state_.sd), add("y", state_.y), add("y_a", state_.y_a), add("g", state_.g), add("gap2", state_.gap2);
        add("alpha", state_.alpha), add("delta", state_.delta), add("heard", state_.heard);
        add("target", state_.target), add("held", state_.held);
        if (state_.given.size()) add("given", state_.given);
        add("weights", weights_), add("sums", sums_.values);
        all.push_back({"status", &status_, Status::kNumbers, sizeof(double)});
        return all;
    }

    void restored() override { blocks_.mark_all_stale(); }

    const Problem& problem() const override { return problem_; }
    int threads() const override { return wanted_threads(); }
    const char* isa() const override { return blocks_.isa(); }
    std::size_t bytes() const override {
        const std::size_t doubles = weights_.size() + sums_.values.size() + problem_.inputs.size();
        return state_.bytes() + flips_.bytes() + blocks_.bytes() + doubles * sizeof(double) + problem_.outputs.size();
    }

  private:
    // Before the first iteration the weights are those B makes of the start.
    template <class EdgeAt, class YAt, class GAt> void start_from(EdgeAt edge_at, YAt y_at, GAt g_at) {
        packing_.pack_point(edge_at, y_at, g_at);
        status_ = {};
        sums_.clear();
        set_start(start_sums().data());
    }

    // A sweep that only opens the point needs no weights to move to.
    void sweep_once(double beta, bool opens) {
        const Lease lease(wanted_threads(), threads_ > 0);
        auto crew = crew_of(lease.threads());
        if (!opens) flips_.choose(state_);
        pool_.run(lease.threads(), [&](int me) {
            if (!opens) crew.normalise(me);
            crew.sweep(me, beta, status_.metric);
            crew.add(me);
        });
        sums_.set_tail(blocks_.tally(), double(at_.items));
    }

    // P_A of some items anew, in blocks that were marked as stale.
    void project_fresh(std::int64_t first, std::int64_t count) {
        std::fill_n(blocks_.fresh.data() + first, count, Real(1));
        reopen_stale();
        std::fill_n(blocks_.fresh.data() + first, count, Real(0));
        status_.pending = Status::kReplaced;
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

    Crew<Real, Kept> crew_of(int threads) {
        return {blocks_, scratch_, sums_, weights_.data(), problem_.support, threads};
    }

    int wanted_threads() const {
        if (threads_ > 0) return threads_;
        // Two meetings of the threads cost about a microsecond: each must have some twenty to do.
        const double nanoseconds = double(at_.items) * (0.5 * net_.edges() + 5.0 * net_.neurons);
        return static_cast<int>(
            std::max(1.0, std::min({nanoseconds / 20000, double(available_cores()), double(at_.blocks)})));
    }

    const Problem problem_;
    const Network& net_;
    const Layout at_;
    const int threads_;

    State<Real, Kept> state_;
    Packing<Real, Kept> packing_;
    Flips<Real> flips_;
    Array<double> weights_;  // [weight] w_bar of the last iteration
    Sums sums_;              // over all items
    Status status_;
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
