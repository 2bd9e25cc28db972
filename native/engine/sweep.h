// One RRR iteration over a tile of data items, in one pass over memory.
//
// The variables kept are s = w + x and d = w - x of every edge. What the projection to A does to them is
// two numbers per neuron and item, s_A = alpha s and d_A = delta d, so P_A is never stored; and P_B needs
// P_A only through sums. The sweep therefore ends iteration t and opens iteration t + 1 at the same time:
//
//     average  y_bar of every node from what its receivers said
//     relax    z += beta (z_B - z_A), the gaps, and |s|^2, |d|^2 of the new point
//     divide   P_A of the new point: alpha, delta, y_A
//     speak    g w_R summed over items, g x_R summed over receivers
//
// The metric follows the gaps, g <- keep g + pull gap^2, where pull holds the mean of gap^2 over all items.
// That mean is unknown until the sweep is over, so it is the gaps of the iteration before that relax the
// metric which opens iteration t + 1.
#pragma once

#include "projection.h"

namespace {

using boolearn::kLanes;
using boolearn::kLineBytes;
using boolearn::NetworkView;
using boolearn::Step;
using boolearn::Tally;
using boolearn::Tile;
using boolearn::Workspace;

// kUsed of the lanes of each group may hold items; the others are not touched.
template <class Real, class Kept, int kUsed> class Sweep {
    static constexpr int kLine = kLanes<Real>;  // lanes of a group
    static constexpr int kLanesOfVector = kVectorBytes / sizeof(Real);
    static constexpr int kVectors = kUsed / kLanesOfVector < kBlock ? kUsed / kLanesOfVector : kBlock;
    static constexpr int kWide = kVectors * kLanesOfVector;  // items in a pack
    using P = Pack<Real, kVectors>;
    // Groups, and neurons, that are relaxed, then divided, then spoken for. Each step of the projection waits for
    // the one before: only next to others does it keep the processor busy. More would not fit the first cache.
    static constexpr int kTogether = 2;
    static constexpr int kNeuronsTogether = 16;
    // Groups whose edges are relaxed in one loop: every sum waits for its last addition, and those of another group
    // fill the time. Where a vector is as wide as a group there are registers for two; checked code needs none to
    // spare.
#ifdef BOOLEARN_CHECKED
    static constexpr int kRelaxed = kTogether;
#else
    static constexpr int kRelaxed = kBlock == 1 ? kTogether : 1;
#endif
    static constexpr int kDivide = 1;
    // How far ahead of their use rows are prefetched, at least, and up to which length as far as the next rows.
    static constexpr std::int64_t kAhead = 16384 / sizeof(Kept), kLongest = 32768 / sizeof(Kept);

    const NetworkView& net;
    const Step<Real>& step;
    const Tile<Real, Kept>& tile;
    const Workspace<Real>& work;
    P edges2{0}, cross{0}, neurons2{0}, inputs2{0};

  public:
    BOOLEARN_INLINE Sweep(const NetworkView& n, const Step<Real>& s, const Tile<Real, Kept>& t,
                          const Workspace<Real>& w)
        : net(n), step(s), tile(t), work(w) {}

    BOOLEARN_INLINE void run(double* weight_sums, Tally& tally) {
        for (int group = 0; group < tile.groups; ++group)
            for (int lane = 0; lane < kUsed; lane += kWide) average_nodes(group, lane);

        constexpr int room = kTogether * kLine;
        alignas(kLineBytes) Real S[kNeuronsTogether * room], D[kNeuronsTogether * room];
        for (int first = 0, last; first < net.neurons; first = last) {
            last = end_of_neurons(first);
            for (int group = 0; group < tile.groups; group += kTogether) {
                const int groups = tile.groups - group < kTogether ? tile.groups - group : kTogether;
                for (int neuron = first; neuron < last; ++neuron) {
                    Real *half_s2 = S + (neuron - first) * room, *half_d2 = D + (neuron - first) * room;
                    const int at_once = groups < kRelaxed ? 1 : kRelaxed;
                    for (int k = 0; k < groups; k += at_once)
                        for (int lane = 0; lane < kUsed; lane += kWide) {
                            const int at = k * kLine + lane;
                            if (at_once == kRelaxed)
                                relax<kRelaxed>(neuron, group + k, lane, half_s2 + at, half_d2 + at);
                            else
                                relax<1>(neuron, group + k, lane, half_s2 + at, half_d2 + at);
                        }
                }
                for (int neuron = first; neuron < last; ++neuron)
                    divide(neuron, group, groups, S + (neuron - first) * room, D + (neuron - first) * room);
                for (int neuron = first; neuron < last; ++neuron) {
                    if (groups == kTogether)
                        speak<kTogether>(neuron, group, row_of(neuron, first));
                    else
                        speak<1>(neuron, group, row_of(neuron, first));
                }
            }
            for (int neuron = first; neuron < last; ++neuron) add_row(neuron, row_of(neuron, first), weight_sums);
        }
        tally.edges2 += across<Real>(fold(edges2));
        tally.cross += across<Real>(fold(cross));
        tally.neurons2 += across<Real>(fold(neurons2));
        tally.inputs2 += across<Real>(fold(inputs2));
    }

    // The second half of a sweep alone: A for items that were replaced, and the sums over all items that B needs.
    BOOLEARN_INLINE void reopen(double* weight_sums) {
        for (int group = 0; group < tile.groups; ++group)
            for (int k = 0; k < (net.nodes - net.outputs) * kLine; k += kWide) P(0).store(of_sender(group, 0) + k);
        for (int neuron = 0; neuron < net.neurons; ++neuron) {
            for (int group = 0; group < tile.groups; ++group) {
                for (int lane = 0; lane < kUsed; lane += kWide) divide_fresh(neuron, group, lane);
                speak<1>(neuron, group, work.rows);
            }
            add_row(neuron, work.rows, weight_sums);
        }
    }

  private:
    // As many neurons from this one on as share the first cache with one another, and at least one. Not in tiles of
    // more groups, which keep the processor busy by themselves: there the order of the sums would be another.
    BOOLEARN_INLINE int end_of_neurons(int first) const {
        int last = first + 1;
        if (tile.groups > kTogether) return last;
        const std::int64_t most = net.start[first] + boolearn::kEdgesTogether / tile.groups;
        while (last < net.neurons && last - first < kNeuronsTogether && net.start[last + 1] <= most) ++last;
        return last;
    }
    BOOLEARN_INLINE Real* row_of(int neuron, int first) const {
        return work.rows + (net.start[neuron] - net.start[first]) * kLanesOfVector;
    }
    BOOLEARN_INLINE Real* of_node(Real* plane, int group, int node) const {
        return plane + (std::int64_t(group) * net.nodes + node) * kLine;
    }
    BOOLEARN_INLINE Real* of_neuron(Real* plane, int group, int neuron) const {
        return plane + (std::int64_t(group) * net.neurons + neuron) * kLine;
    }
    BOOLEARN_INLINE Real* of_sender(int group, int node) const {
        return tile.heard + (std::int64_t(group) * (net.nodes - net.outputs) + node) * kLine;
    }
    BOOLEARN_INLINE Kept* of_row(int neuron, int group) const {
        const std::int64_t first = net.start[neuron], m = net.start[neuron + 1] - first;
        return tile.sd + (first * tile.groups + m * group) * 2 * kLine;
    }

    // The planes have a line for each neuron: too little in one place for the processor to prefetch the next by itself.
    BOOLEARN_INLINE void prefetch_next(int neuron, int group, int lane) const {
        Real* const of_neurons[] = {tile.alpha, tile.delta, tile.g, tile.gap2};
        Real* const of_nodes[] = {tile.y, tile.y_a};
        for (Real* plane : of_neurons) __builtin_prefetch(of_neuron(plane, group, neuron + 1) + lane, 0, 2);
        for (Real* plane : of_nodes) __builtin_prefetch(of_node(plane, group, 2 + net.inputs + neuron) + lane, 0, 2);
    }

    // Rows follow one another in memory, which is to be busy all the time: relax prefetches the s of later rows, speak
    // their d. To the second cache, for reading: prefetching for writing, or to the first cache, holds up the loop.
    // Long rows would be out of the cache again before they are used, and groups that are relaxed one by one are not
    // walked through as speak does: there relax prefetches both, not as far ahead, and speak what it reads anyway.
    BOOLEARN_INLINE static bool prefetches_alone(std::int64_t row) { return kRelaxed < kTogether || row > kLongest; }
    BOOLEARN_INLINE static std::int64_t how_far_ahead(std::int64_t row) {
        return prefetches_alone(row) || kTogether * row < kAhead ? kAhead : kTogether * row;
    }

    // B at the wires: y_bar = (g_p y_R + sum g_q x_R) / (g_p + sum g_q), the sums over the receivers of p.
    // Inputs and the constant have no BTF: their metric is 1, their A is the data or the nearest code.
    BOOLEARN_INLINE void average_nodes(int group, int lane) {
        for (int k = 0; k < net.audiences; ++k) {
            P sum(0);
            for (std::int64_t r = net.audience_start[k]; r < net.audience_start[k + 1]; ++r)
                sum += P::load(of_neuron(tile.g, group, net.receiver[r]) + lane);
            sum.store(work.audience_g + k * kLine + lane);
        }
        if (net.input_mode != boolearn::kGiven) choose_code(group, lane);

        const int first_neuron = 1 + net.inputs, senders = net.nodes - net.outputs;
        for (int p = 0; p < first_neuron; ++p) {
            const P bar = agree(group, lane, p, P(1));
            Real* y = of_node(tile.y, group, p) + lane;
            const P gap = bar - P::load(of_node(tile.y_a, group, p) + lane);
            (P::load(y) + P(step.beta) * gap).store(y);
            inputs2 += gap * gap * live(group, lane);
        }
        for (int p = first_neuron; p < senders; ++p)
            agree(group, lane, p, P::load(of_neuron(tile.g, group, p - first_neuron) + lane));
        // Outputs hold the data. Where that is open, B asks for nothing, and the nearest point is the one it came from.
        for (int p = senders; p < net.nodes; ++p) {
            const P held = P::load(tile.held + (std::int64_t(group) * net.outputs + p - senders) * kLine + lane);
            select(held == P(0), reflected(group, lane, p) * live(group, lane), held)
                .store(of_node(work.y_bar, group, p) + lane);
        }
    }

    BOOLEARN_INLINE P reflected(int group, int lane, int p) const {
        return P(2) * P::load(of_node(tile.y_a, group, p) + lane) - P::load(of_node(tile.y, group, p) + lane);
    }

    BOOLEARN_INLINE P agree(int group, int lane, int p, P g) {
        Real* heard = of_sender(group, p) + lane;
        const P y_r = reflected(group, lane, p);
        const P total = g + P::load(work.audience_g + net.audience[p] * kLine + lane);
        // Padding has no metric at all: the floor only keeps it finite.
        const P bar = (g * y_r + P::load(heard)) / max(total, P(Real(1e-30)));
        bar.store(of_node(work.y_bar, group, p) + lane);
        P(0).store(heard);
        return bar;
    }

    // A at free inputs: the nearest code of signs, or the nearest one-hot code.
    BOOLEARN_INLINE void choose_code(int group, int lane) {
        Real* y = of_node(tile.y, group, 1) + lane;
        Real* y_a = of_node(tile.y_a, group, 1) + lane;
        if (net.input_mode == boolearn::kAnyCode) {
            for (int p = 0; p < net.inputs; ++p)
                select(P::load(y + p * kLine) < P(0), P(-1), P(1)).store(y_a + p * kLine);
            return;
        }
        P largest = P::load(y), where(0);
        for (int p = 1; p < net.inputs; ++p) {
            const P here = P::load(y + p * kLine);
            where = select(here > largest, P(Real(p)), where);
            largest = max(largest, here);
        }
        for (int p = 0; p < net.inputs; ++p) select(where == P(Real(p)), P(1), P(-1)).store(y_a + p * kLine);
    }

    // z += beta (z_B - z_A) at one neuron. With e_s, e_d the differences of s and d, |e_w|^2 + |e_x|^2 is
    // (e_s^2 + e_d^2)/2 and |e_w|^2 - |e_x|^2 is e_s e_d.
    template <int groups> BOOLEARN_INLINE void relax(int neuron, int group, int lane, Real* S, Real* D) {
        const P beta(step.beta);
        P alpha[groups], delta[groups], ss[groups], dd[groups], gap2[groups], gap_cross[groups];
        for (int k = 0; k < groups; ++k) {
            alpha[k] = P::load(of_neuron(tile.alpha, group + k, neuron) + lane);
            delta[k] = P::load(of_neuron(tile.delta, group + k, neuron) + lane);
            ss[k] = dd[k] = gap2[k] = gap_cross[k] = P(0);
            prefetch_next(neuron, group + k, lane);
        }
        const std::int64_t next_row = (net.start[neuron + 1] - net.start[neuron]) * 2 * kLine;
        const std::int64_t next_nodes = std::int64_t(net.nodes) * kLine;
        const std::int64_t ahead = how_far_ahead(next_row), ahead_d = ahead + (prefetches_alone(next_row) ? kLine : 0);
        Kept* sd = of_row(neuron, group) + lane;
        for (std::int32_t run = net.run[neuron]; run < net.run[neuron + 1]; ++run) {
            const std::int64_t first = net.run_start[run];
            const Real* y_bar = of_node(work.y_bar, group, net.sender[first]) + lane;
            const Real *w_bar = step.w_bar + first, *const end = step.w_bar + net.run_start[run + 1];
#pragma GCC unroll 2
            for (; w_bar < end; ++w_bar, y_bar += kLine, sd += 2 * kLine) {
                const Vector<Real> w_b = broadcast(*w_bar);
                for (int k = 0; k < groups; ++k) {
                    Kept* const row = sd + k * next_row;
                    __builtin_prefetch(row + ahead, 0, 2);
                    __builtin_prefetch(row + ahead_d, 0, 2);
                    // Vector by vector: a whole pack at a time would need more registers than there are.
                    for (int v = 0; v < kVectors; ++v) {
                        const Vector<Real> y_b = load_vector(y_bar + k * next_nodes + v * kLanesOfVector);
                        Vector<Real> s = load_vector(row + v * kLanesOfVector),
                                     d = load_vector(row + kLine + v * kLanesOfVector);
                        const Vector<Real> e_s = (w_b + y_b) - alpha[k].part[v] * s;
                        const Vector<Real> e_d = (w_b - y_b) - delta[k].part[v] * d;
                        s += beta.part[v] * e_s;
                        d += beta.part[v] * e_d;
                        store_vector(row + v * kLanesOfVector, s);
                        store_vector(row + kLine + v * kLanesOfVector, d);
                        gap2[k].part[v] += e_s * e_s;
                        gap2[k].part[v] += e_d * e_d;
                        gap_cross[k].part[v] += e_s * e_d;
                        ss[k].part[v] += s * s;
                        dd[k].part[v] += d * d;
                    }
                }
            }
        }
        for (int k = 0; k < groups; ++k) {
            (P(Real(0.5)) * ss[k]).store(S + k * kLine);
            (P(Real(0.5)) * dd[k]).store(D + k * kLine);
            close(neuron, group + k, lane, gap2[k], gap_cross[k]);
        }
    }

    // What is left of relaxing a neuron once its edges are: y, the gaps and the metric.
    BOOLEARN_INLINE void close(int neuron, int group, int lane, P gap2, P gap_cross) {
        const int node = 1 + net.inputs + neuron;
        Real* y = of_node(tile.y, group, node) + lane;
        const P e_y = P::load(of_node(work.y_bar, group, node) + lane) - P::load(of_node(tile.y_a, group, node) + lane);
        (P::load(y) + P(step.beta) * e_y).store(y);

        const P counted = live(group, lane);
        const P of_edges = P(Real(0.5)) * gap2 * counted, of_y = e_y * e_y * counted;
        Real *g = of_neuron(tile.g, group, neuron) + lane, *of_last = of_neuron(tile.gap2, group, neuron) + lane;
        (P(step.keep) * P::load(g) + P(step.pull) * P::load(of_last)).store(g);
        (of_edges + of_y).store(of_last);
        edges2 += of_edges;
        cross += gap_cross * counted;
        neurons2 += of_y;
    }

    // P_A of a few groups.
    BOOLEARN_INLINE void divide(int neuron, int group, int groups, const Real* half_s2, const Real* half_d2) {
        const int node = 1 + net.inputs + neuron;
        bool agree = true;
        for (int k = 0; k < groups; ++k)
            for (int lane = 0; lane < kUsed; lane += kWide)
                agree &= all(P::load(of_node(tile.y, group + k, node) + lane) *
                                 (P::load(half_s2 + k * kLine + lane) - P::load(half_d2 + k * kLine + lane)) >
                             P(0));
        if (agree)
            divide<true>(neuron, group, groups, half_s2, half_d2);
        else
            divide<false>(neuron, group, groups, half_s2, half_d2);
    }

    template <bool agree>
    BOOLEARN_INLINE void divide(int neuron, int group, int groups, const Real* half_s2, const Real* half_d2) {
        using V = Pack<Real, kDivide>;
        constexpr int step_lanes = kDivide * kLanesOfVector;
        const int node = 1 + net.inputs + neuron;
        for (int k = 0; k < groups; ++k)
            for (int lane = 0; lane < kUsed; lane += step_lanes) {
                const V S = V::load(half_s2 + k * kLine + lane), D = V::load(half_d2 + k * kLine + lane),
                        y = V::load(of_node(tile.y, group + k, node) + lane);
                const auto a =
                    agree ? project_near(S, D, step.two_mu[neuron]) : project_threshold(S, D, y, step.two_mu[neuron]);
                a.alpha.store(of_neuron(tile.alpha, group + k, neuron) + lane);
                a.delta.store(of_neuron(tile.delta, group + k, neuron) + lane);
                a.y.store(of_node(tile.y_a, group + k, node) + lane);
            }
    }

    // Items that stayed keep what they have, to the last bit.
    BOOLEARN_INLINE void divide_fresh(int neuron, int group, int lane) {
        const auto stays = P::load(tile.fresh + group * kLine + lane) < P(1);
        if (all(stays)) return;
        const Kept* sd = of_row(neuron, group) + lane;
        P S(0), D(0);
        for (std::int64_t e = net.start[neuron], end = net.start[neuron + 1]; e < end; ++e, sd += 2 * kLine) {
            S += P::load(sd) * P::load(sd);
            D += P::load(sd + kLine) * P::load(sd + kLine);
        }
        Real* const kept[] = {of_neuron(tile.alpha, group, neuron) + lane, of_neuron(tile.delta, group, neuron) + lane,
                              of_node(tile.y_a, group, 1 + net.inputs + neuron) + lane};
        const P before[] = {P::load(kept[0]), P::load(kept[1]), P::load(kept[2])};
        const P y = P::load(of_node(tile.y, group, 1 + net.inputs + neuron) + lane);
        const auto a = project_threshold(P(Real(0.5)) * S, P(Real(0.5)) * D, y, step.two_mu[neuron]);
        const P after[] = {a.alpha, a.delta, a.y};
        for (int k = 0; k < 3; ++k) select(stays, before[k], after[k]).store(kept[k]);
    }

    // Reflected, s_R = (2 alpha - 1) s and d_R = (2 delta - 1) d; w_R is half their sum, x_R half their difference.
    template <int groups> BOOLEARN_INLINE void speak(int neuron, int group, Real* row) {
        if (group == 0)
            speak<groups, true>(neuron, group, row);
        else
            speak<groups, false>(neuron, group, row);
    }

    // All vectors of an edge are added to its row at once; the first groups of a tile begin the row.
    template <int groups, bool begins> BOOLEARN_INLINE void speak(int neuron, int group, Real* row) {
        using V = Vector<Real>;
        constexpr int per_group = kUsed / kLanesOfVector, vectors = groups * per_group;
        V g_s[vectors], g_d[vectors];
        for (int k = 0; k < vectors; ++k) {
            const int at = group + k / per_group, lane = k % per_group * kLanesOfVector;
            const V g = load_vector(of_neuron(tile.g, at, neuron) + lane), half = broadcast(Real(0.5));
            g_s[k] = g * (load_vector(of_neuron(tile.alpha, at, neuron) + lane) - half);
            g_d[k] = g * (load_vector(of_neuron(tile.delta, at, neuron) + lane) - half);
        }
        const std::int64_t next_row = (net.start[neuron + 1] - net.start[neuron]) * 2 * kLine;
        const std::int64_t next_heard = std::int64_t(net.nodes - net.outputs) * kLine;
        const std::int64_t ahead = prefetches_alone(next_row) ? 0 : how_far_ahead(next_row) + kLine;
        const Kept* sd = of_row(neuron, group);
        for (std::int32_t run = net.run[neuron]; run < net.run[neuron + 1]; ++run) {
            const std::int64_t first = net.run_start[run], edges = net.run_start[run + 1] - first;
            Real* heard = of_sender(group, net.sender[first]);
            const Real* const end = row + edges * kLanesOfVector;
#pragma GCC unroll 2
            for (; row < end; row += kLanesOfVector, heard += kLine, sd += 2 * kLine) {
                V g_w{};
                if (!begins) g_w = load_vector(row);
                for (int k = 0; k < vectors; ++k) {
                    const int lane = k % per_group * kLanesOfVector;
                    const Kept* from = sd + k / per_group * next_row + lane;
                    if (lane == 0) __builtin_prefetch(from + ahead, 0, 2);
                    Real* to = heard + k / per_group * next_heard + lane;
                    const V s_r = g_s[k] * load_vector(from), d_r = g_d[k] * load_vector(from + kLine);
                    store_vector(to, load_vector(to) + (s_r - d_r));
                    g_w += s_r + d_r;
                }
                store_vector(row, g_w);
            }
        }
    }

    BOOLEARN_INLINE void add_row(int neuron, const Real* row, double* weight_sums) {
        for (std::int64_t e = net.start[neuron]; e < net.start[neuron + 1]; ++e, row += kLanesOfVector)
            weight_sums[net.weight[e]] += across<Real>(load_vector(row));
    }

    BOOLEARN_INLINE P live(int group, int lane) const { return P::load(tile.live + group * kLine + lane); }
};

// Calls do_with a sweep over as much of the line as the tile needs. A vector may be as wide as a line.
template <class Real, class Kept, class Do>
BOOLEARN_INLINE void with_sweep(const NetworkView& net, const Step<Real>& step, const Tile<Real, Kept>& tile,
                                const Workspace<Real>& work, Do do_with) {
    if constexpr (kVectorBytes < kLineBytes)
        if (tile.half_line) return do_with(Sweep<Real, Kept, kLanes<Real> / 2>(net, step, tile, work));
    do_with(Sweep<Real, Kept, kLanes<Real>>(net, step, tile, work));
}

template <class Real, class Kept>
void sweep(const NetworkView& net, const Step<Real>& step, const Tile<Real, Kept>& tile, const Workspace<Real>& work,
           double* weight_sums, Tally& tally) {
    with_sweep(net, step, tile, work, [&](auto&& sweep) { sweep.run(weight_sums, tally); });
}

template <class Real, class Kept>
void reopen(const NetworkView& net, const Step<Real>& step, const Tile<Real, Kept>& tile, const Workspace<Real>& work,
            double* weight_sums) {
    with_sweep(net, step, tile, work, [&](auto&& sweep) { sweep.reopen(weight_sums); });
}

template <class Real, class Kept>
constexpr boolearn::Iteration<Real, Kept> iteration = {sweep<Real, Kept>, reopen<Real, Kept>};

// The least that any sweep does for every line: bandwidth.h measures how long that takes.
void touch(float* lines, std::int64_t count) {
    const Vector<float> shrink = broadcast(0.999999f), shift = broadcast(1e-6f);
    for (std::int64_t k = 0; k < count; k += kLanes<float>)
        for (int lane = 0; lane < kLanes<float>; lane += kVectorBytes / int(sizeof(float)))
            store_vector(lines + k + lane, load_vector(lines + k + lane) * shrink + shift);
}

}  // namespace
