// Between the caller's plain order, item by item in double precision, and the layout of the state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "forward.h"
#include "layout.h"
#include "problem.h"
#include "state.h"

namespace boolearn {

// Of one edge and item.
struct EdgeValue {
    double w, x;
};

template <class Real, class Kept> class Packing {
  public:
    Packing(const Problem& problem, const Layout& at, State<Real, Kept>& state)
        : problem_(problem), net_(problem.network), at_(at), state_(state) {}

    void pack_data() {
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.outputs; ++k)
                state_.target[place(i, k, net_.outputs)] = problem_.outputs[i * net_.outputs + k];
            for (int k = 0; k < given_inputs(); ++k)
                state_.given[place(i, k, net_.inputs)] = static_cast<Real>(problem_.inputs[i * net_.inputs + k]);
        }
    }

    // A fresh point: edge_at(item, edge) is an EdgeValue, y_at(item, node) and g_at(item, neuron) are numbers.
    // Padding keeps a metric of zero, so that it counts in no sum.
    template <class EdgeAt, class YAt, class GAt> void pack_point(EdgeAt edge_at, YAt y_at, GAt g_at) {
        std::fill_n(state_.sd.data(), state_.sd.size(), Kept(0));
        for_each_edge([&](std::int64_t i, std::int64_t e, std::int64_t where) {
            const EdgeValue value = edge_at(i, e);
            state_.sd[where] = kept<Kept>(value.w + value.x);
            state_.sd[where + kLine] = kept<Kept>(value.w - value.x);
        });
        for (Array<Real>* a : {&state_.y, &state_.y_a, &state_.g, &state_.gap2, &state_.heard})
            std::fill_n(a->data(), a->size(), Real(0));
        for (Array<Real>* a : {&state_.alpha, &state_.delta}) std::fill_n(a->data(), a->size(), Real(1));
        for (std::int64_t i = 0; i < at_.items; ++i) {
            for (int k = 0; k < net_.nodes; ++k) state_.y[place(i, k, net_.nodes)] = static_cast<Real>(y_at(i, k));
            for (int k = 0; k < net_.neurons; ++k) state_.g[place(i, k, net_.neurons)] = static_cast<Real>(g_at(i, k));
            state_.y_a[place(i, 0, net_.nodes)] = Real(-1);
            for (int k = 0; k < given_inputs(); ++k)
                state_.y_a[place(i, 1 + k, net_.nodes)] = state_.given[place(i, k, net_.inputs)];
        }
        std::copy_n(state_.target.data(), state_.target.size(), state_.held.data());
    }

    Point unpack_point() const {
        Point p;
        p.w.resize(at_.items * net_.edges());
        p.x.resize(p.w.size());
        for_each_edge([&](std::int64_t i, std::int64_t e, std::int64_t where) {
            const double s = state_.sd[where], d = state_.sd[where + kLine];
            p.w[i * net_.edges() + e] = 0.5 * (s + d);
            p.x[i * net_.edges() + e] = 0.5 * (s - d);
        });
        p.y = unpack<double>(net_.nodes, [&](std::int64_t i, int k) { return state_.y[place(i, k, net_.nodes)]; });
        p.g = unpack<double>(net_.neurons, [&](std::int64_t i, int k) { return state_.g[place(i, k, net_.neurons)]; });
        return p;
    }

    // y_A of the inputs, [item][input].
    std::vector<double> unpack_inputs() const {
        return unpack<double>(net_.inputs, [&](std::int64_t i, int k) { return input(i, k); });
    }

    // Where the value held differs from the data, [item][output] and [item][input].
    std::vector<char> flipped_outputs() const {
        return unpack<char>(net_.outputs, [&](std::int64_t i, int k) {
            return state_.held[place(i, k, net_.outputs)] != state_.target[place(i, k, net_.outputs)];
        });
    }
    std::vector<char> flipped_inputs() const {
        return unpack<char>(net_.inputs, [&](std::int64_t i, int k) {
            return k < given_inputs() && input(i, k) != state_.given[place(i, k, net_.inputs)];
        });
    }

    // `count` lanes of a group, from `lane` on, take what a forward pass with these weights gave: w is the weight of
    // the edge and x the y of its sender. gap2 is what still is to relax the metric.
    void pack_pass(std::int64_t group, int lane, int count, const ForwardPass& pass, const double* weights,
                   const signed char* targets, double gap2) {
        const auto each = [&](auto* line, auto value) {
            for (int k = 0; k < count; ++k) line[lane + k] = kept<std::decay_t<decltype(*line)>>(value(k));
        };
        const int first_output = net_.nodes - net_.outputs;
        for (int node = 0; node < net_.nodes; ++node) {
            const auto y = [&](int k) { return pass.y(node)[k]; };
            each(state_.y.data() + at_.line(group, node, net_.nodes), y);
            if (node <= net_.inputs) each(state_.y_a.data() + at_.line(group, node, net_.nodes), y);
            if (node >= 1 && node <= given_inputs())
                each(state_.given.data() + at_.line(group, node - 1, net_.inputs), y);
            if (node < first_output) continue;
            const auto target = [&](int k) { return targets[k * net_.outputs + node - first_output]; };
            each(state_.target.data() + at_.line(group, node - first_output, net_.outputs), target);
            each(state_.held.data() + at_.line(group, node - first_output, net_.outputs), target);
        }
        const std::int64_t tile = at_.tile_of_group(group);
        for (int q = 0; q < net_.neurons; ++q) {
            each(state_.g.data() + at_.line(group, q, net_.neurons), [](int) { return 1; });
            each(state_.gap2.data() + at_.line(group, q, net_.neurons), [&](int) { return gap2; });
            for (std::int64_t e = net_.start[q]; e < net_.start[q + 1]; ++e) {
                Kept* sd = state_.sd.data() + at_.edge(net_, tile, group, q, e);
                const double w = weights[net_.weight[e]];
                const double* x = pass.y(net_.sender[e]);
                each(sd, [&](int k) { return w + x[k]; });
                each(sd + kLine, [&](int k) { return w - x[k]; });
            }
        }
    }

    // Adds g w of all items to the sums of the weights: what B makes of a point that no sweep has projected to A.
    void add_weights(double* sums) const {
        for_each_row([&](std::int64_t tile, std::int64_t group, int q) {
            const Real* g = state_.g.data() + at_.line(group, q, net_.neurons);
            for (std::int64_t e = net_.start[q]; e < net_.start[q + 1]; ++e) {
                const Kept* s = state_.sd.data() + at_.edge(net_, tile, group, q, e);
                double sum = 0;
                for (int lane = 0; lane < kLine; ++lane)
                    sum += double(g[lane]) * 0.5 * (double(s[lane]) + double(s[kLine + lane]));
                sums[net_.weight[e]] += sum;
            }
        });
    }

  private:
    static constexpr int kLine = kLanes<Real>;  // items in a group

    template <class To> static To kept(double value) {
        // Half precision is rounded from single.
        if constexpr (std::is_same_v<To, Half>)
            return Half(static_cast<float>(value));
        else
            return static_cast<To>(value);
    }

    int given_inputs() const { return problem_.input_mode == kGiven ? net_.inputs : 0; }
    Real input(std::int64_t item, int k) const { return state_.y_a[place(item, 1 + k, net_.nodes)]; }

    // Place of (item, row) in an array [group][row][lane].
    std::int64_t place(std::int64_t item, std::int64_t row, std::int64_t rows) const {
        return at_.line(item / kLine, row, rows) + item % kLine;
    }

    template <class To, class At> std::vector<To> unpack(int columns, At value_at) const {
        std::vector<To> plain(at_.items * columns);
        for (std::int64_t i = 0; i < at_.items; ++i)
            for (int k = 0; k < columns; ++k) plain[i * columns + k] = value_at(i, k);
        return plain;
    }

    // In the order of memory.
    template <class Visit> void for_each_row(Visit visit) const {
        for (std::int64_t tile = 0; tile < at_.tiles; ++tile) {
            const Range groups = at_.groups_of_tile(tile);
            for (int neuron = 0; neuron < net_.neurons; ++neuron)
                for (std::int64_t group = groups.first; group < groups.last; ++group) visit(tile, group, neuron);
        }
    }
    template <class Visit> void for_each_edge(Visit visit) const {
        for_each_row([&](std::int64_t tile, std::int64_t group, int neuron) {
            const std::int64_t first = group * kLine, lanes = std::min<std::int64_t>(at_.items - first, kLine);
            for (std::int64_t e = net_.start[neuron]; e < net_.start[neuron + 1]; ++e) {
                const std::int64_t where = at_.edge(net_, tile, group, neuron, e);
                for (std::int64_t lane = 0; lane < lanes; ++lane) visit(first + lane, e, where + lane);
            }
        });
    }

    const Problem& problem_;
    const Network& net_;
    const Layout& at_;
    State<Real, Kept>& state_;
};

}  // namespace boolearn
