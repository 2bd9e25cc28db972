// What the compiled kernels see of the engine: plain structures, no classes of the standard library,
// so that nothing compiled for a newer instruction set can leak into the rest of the program.
#pragma once

#include <cstdint>

#include "half.h"

namespace boolearn {

// One group of data items fills one cache line of each variable.
constexpr int kLineBytes = 64;
template <class Real> constexpr int kLanes = kLineBytes / static_cast<int>(sizeof(Real));

// The sweep works on neurons together that have at most so many edges, counted once for each group of items.
constexpr int kEdgesTogether = 128;

enum InputMode : int { kGiven = 0, kAnyCode = 1, kOneHot = 2 };

// The network as the sweep walks it. Node 0 is the constant -1, nodes 1..inputs the inputs, then the
// neurons, the outputs last.
struct NetworkView {
    int nodes, inputs, outputs, neurons;
    const std::int64_t* start;      // edges of neuron k: start[k] .. start[k+1]
    const std::int32_t* sender;     // [edge] the node at its tail
    const std::int32_t* run;        // runs of neuron k: run[k] .. run[k+1]
    const std::int64_t* run_start;  // edges of run r, whose senders follow each other: run_start[r] .. run_start[r+1]
    const std::int32_t* weight;     // [edge] the weight it carries
    const std::int32_t* audience;   // [node] class of senders with the same receivers
    int audiences;
    const std::int64_t* audience_start;
    const std::int32_t* receiver;  // neurons that listen to a class of senders
    InputMode input_mode;
};

// The numbers of one iteration. The gaps of the last iteration are still to relax the metric,
// g <- keep g + pull gap^2 with keep = 1 - gamma and pull = gamma / mean gap^2.
template <class Real> struct Step {
    Real beta, keep, pull;
    const Real* w_bar;   // [edge] weights all items agree on
    const Real* two_mu;  // [neuron] twice the margin
};

// The variables of a few groups of items. For every neuron, group after group, the edges follow each
// other with s = w + x and d = w - x, an item to a lane, kept as they are computed or in fewer bits.
// Planes of nodes or neurons: [group][node][lane].
template <class Real, class Kept> struct Tile {
    int groups;
    bool half_line;  // one group, with items in the first half of its lanes only
    Kept* sd;
    Real *y, *y_a;                   // nodes
    Real *g, *gap2, *alpha, *delta;  // neurons
    Real* heard;                     // senders: sums over receivers of g x_R
    const Real* held;                // outputs: what the data, or a bit flipped against it, says; 0 where open
    const Real* live;                // [group][lane] 1 for an item, 0 for padding
    const Real* fresh;               // [group][lane] 1 for an item replaced since the last sweep
};

// Scratch of one thread.
template <class Real> struct Workspace {
    Real* y_bar;       // [group][node][lane]
    Real* rows;        // [edge of some neurons][vector]
    Real* audience_g;  // [class of senders][lane]
};

// Sums over items; all that set B and the gaps need. Additive over tiles, threads and processes.
struct Tally {
    double edges2;    // of |w_B - w_A|^2 + |x_B - x_A|^2
    double cross;     // of |w_B - w_A|^2 - |x_B - x_A|^2
    double neurons2;  // of (y_B - y_A)^2 at neurons
    double inputs2;   // ... at inputs and the constant
};

template <class Real, class Kept>
using SweepFunction = void (*)(const NetworkView&, const Step<Real>&, const Tile<Real, Kept>&, const Workspace<Real>&,
                               double* weight_sums, Tally&);

// Opens the next iteration again where items were replaced after the sweep: nothing is moved.
template <class Real, class Kept>
using ReopenFunction = void (*)(const NetworkView&, const Step<Real>&, const Tile<Real, Kept>&, const Workspace<Real>&,
                                double* weight_sums);

template <class Real, class Kept> struct Iteration {
    SweepFunction<Real, Kept> sweep;
    ReopenFunction<Real, Kept> reopen;
};

struct Kernels {
    const char* name;
    Iteration<float, Half> half;
    Iteration<float, float> single;
    Iteration<double, double> full;
    void (*touch)(float* lines, std::int64_t count);  // a pass over memory that changes every number
};

// The best kernels this processor can run, or those named by BOOLEARN_ISA. Items that fill half a line want vectors of
// half a line.
const Kernels& choose_kernels(bool half_line = false);

}  // namespace boolearn
