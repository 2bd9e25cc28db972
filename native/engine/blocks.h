// The sweep, block by block, and what each block adds up.
#pragma once

#include <algorithm>
#include <vector>

#include "gaps.h"
#include "layout.h"
#include "memory.h"
#include "problem.h"
#include "state.h"

namespace boolearn {

template <class Kept> constexpr auto iteration_of = &Kernels::single;
template <> inline constexpr auto iteration_of<Half> = &Kernels::half;
template <> inline constexpr auto iteration_of<double> = &Kernels::full;

template <class Real, class Kept> class Blocks {
  public:
    Blocks(const Problem& problem, const Layout& at, State<Real, Kept>& state)
        : net(problem.network), at(at), fresh(at.groups * at.lanes), w_bar(net.edges()), state_(state),
          view_(net.view(problem.input_mode)), kernels_(choose_kernels(2 * problem.all_items() <= at.lanes)),
          iteration_(kernels_.*iteration_of<Kept>), live_(fresh.size()), two_mu_(net.neurons),
          sums_(at.blocks * net.weights()), tally_(at.blocks), stale_(at.blocks, 1) {
        set_margins(problem.margins.data());
        std::fill_n(live_.data(), at.items, Real(1));
    }

    const Network& net;
    const Layout& at;
    Array<Real> fresh;  // [group][lane] 1 for items that reopen() is for
    Array<Real> w_bar;  // [edge]

    void set_margins(const double* margins) {
        for (int k = 0; k < net.neurons; ++k) two_mu_[k] = static_cast<Real>(2 * margins[k]);
    }

    void sweep(std::int64_t block, double beta, Relaxation metric, Scratch<Real>& scratch) {
        const Step<Real> step{Real(beta), Real(metric.keep), Real(metric.pull), w_bar.data(), two_mu_.data()};
        Tally tally{};
        for_each_tile(block, scratch, [&](const Tile<Real, Kept>& tile, const Workspace<Real>& work, double* sums) {
            iteration_.sweep(view_, step, tile, work, sums, tally);
        });
        tally_[block] = tally;
    }

    void reopen(std::int64_t block, Scratch<Real>& scratch) {
        const Step<Real> step{0, 1, 0, w_bar.data(), two_mu_.data()};
        for_each_tile(block, scratch, [&](const Tile<Real, Kept>& tile, const Workspace<Real>& work, double* sums) {
            iteration_.reopen(view_, step, tile, work, sums);
        });
    }

    // The sums of some weights over all blocks, in chunks that stay in the first cache while block after block is
    // added.
    void add(Range weights, double* sums) const {
        for (std::int64_t from = weights.first; from < weights.last; from += 1024) {
            const std::int64_t n = std::min<std::int64_t>(1024, weights.last - from);
            const double* of_block = sums_.data() + from;
            std::copy_n(of_block, n, sums + from);
            for (std::int64_t block = 1; block < at.blocks; ++block) {
                of_block += net.weights();
                for (std::int64_t k = 0; k < n; ++k) sums[from + k] += of_block[k];
            }
        }
    }
    const double* sums_of(std::int64_t block) const { return sums_.data() + block * net.weights(); }
    const Tally& tally_of(std::int64_t block) const { return tally_[block]; }
    Tally tally() const {
        Tally sum{};
        for (const Tally& t : tally_)
            sum = {sum.edges2 + t.edges2, sum.cross + t.cross, sum.neurons2 + t.neurons2, sum.inputs2 + t.inputs2};
        return sum;
    }

    // Blocks whose sums are not those of the state.
    bool is_stale(std::int64_t block) const { return stale_[block] != 0; }
    int count_stale() const { return static_cast<int>(std::count(stale_.begin(), stale_.end(), 1)); }
    void mark_stale(std::int64_t block) { stale_[block] = 1; }
    void mark_all_stale() { std::fill(stale_.begin(), stale_.end(), 1); }

    const char* isa() const { return kernels_.name; }
    std::size_t bytes() const {
        return (fresh.size() + w_bar.size() + live_.size() + two_mu_.size()) * sizeof(Real) +
               sums_.size() * sizeof(double);
    }

  private:
    template <class Work> void for_each_tile(std::int64_t block, Scratch<Real>& scratch, Work do_tile) {
        const Workspace<Real> work{scratch.y_bar.data(), scratch.rows.data(), scratch.audience_g.data()};
        double* sums = sums_.data() + block * net.weights();
        std::fill_n(sums, net.weights(), 0.0);
        const Range tiles = at.tiles_of_block(block);
        for (std::int64_t t = tiles.first; t < tiles.last; ++t) {
            const Range groups = at.groups_of_tile(t);
            const std::int64_t g = groups.first;
            const std::int64_t neuron = at.line(g, 0, net.neurons);
            const Tile<Real, Kept> tile{
                static_cast<int>(groups.size()),
                groups.size() == 1 && 2 * (at.items - g * at.lanes) <= at.lanes,
                state_.sd.data() + at.line(g, 0, 2 * net.edges()),
                state_.y.data() + at.line(g, 0, net.nodes),
                state_.y_a.data() + at.line(g, 0, net.nodes),
                state_.g.data() + neuron,
                state_.gap2.data() + neuron,
                state_.alpha.data() + neuron,
                state_.delta.data() + neuron,
                state_.heard.data() + at.line(g, 0, net.nodes - net.outputs),
                state_.held.data() + at.line(g, 0, net.outputs),
                live_.data() + g * at.lanes,
                fresh.data() + g * at.lanes,
            };
            do_tile(tile, work, sums);
        }
        stale_[block] = 0;
    }

    State<Real, Kept>& state_;
    const NetworkView view_;
    const Kernels& kernels_;
    const Iteration<Real, Kept> iteration_;
    Array<Real> live_, two_mu_;
    Array<double> sums_;        // [block][weight]
    std::vector<Tally> tally_;  // [block]
    std::vector<char> stale_;   // [block]
};

}  // namespace boolearn
