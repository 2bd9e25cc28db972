// The engine: owns the variables (w, x, y) and the metric g, and performs RRR iterations on them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gaps.h"
#include "memory.h"
#include "problem.h"

namespace boolearn {

struct Progress {
    std::int64_t iterations = 0;
    Gaps gap;              // of the last iteration
    double least_gap = 0;  // of the iterations of this call
};

// A named array of the state, for snapshots.
struct Field {
    std::string name;
    void* data;
    std::size_t size;
    std::size_t bytes;  // of one number
};

// Where data meets the network.
enum class Side { kInputs, kOutputs };

// How numbers are kept; half precision is computed in single.
enum class Precision { kHalf, kSingle, kDouble };

class Engine {
  public:
    virtual ~Engine() = default;

    virtual void begin(std::uint64_t key_w, std::uint64_t key_x, std::uint64_t key_y) = 0;

    // Up to n iterations; stops after the first whose gap is below stop_below, when request_stop() was
    // called, or when interrupted() says so (asked by the calling thread, a few times a second).
    virtual Progress iterate(std::int64_t n, double beta, double gamma, double stop_below,
                             const std::function<bool()>& interrupted) = 0;
    void request_stop() { stop_.store(true); }

    // The same iteration in two halves. open() projects a fresh point to A; divide() moves the point and
    // projects it again; both leave in sums() what set B needs, and sums of several engines with different
    // items may be added. concur() takes the total. iterate(1) is concur(divide(), gamma).
    virtual void open() = 0;
    virtual void divide(double beta) = 0;
    virtual Gaps concur(double gamma) = 0;
    virtual Array<double>& sums() = 0;
    virtual bool is_open() const = 0;

    // The same sums in parts, which added in the order of engines, then parts, are the same bits for any number of
    // engines: a row for each block (for each engine, where there are more engines than blocks) with the sums of the
    // weights and the four numbers of the tally. Its columns are cut at `cuts`, and piece after piece is written.
    virtual std::int64_t parts() const = 0;
    virtual std::vector<double> cut_parts(const std::int64_t* cuts, std::int64_t pieces) const = 0;

    // The sums of the weights at the start, and the weights that B makes of the total.
    virtual std::vector<double> start_sums() const = 0;
    virtual void set_start(const double* total) = 0;

    // Noise accommodation where the bits of several engines compete. leans(): how far the variables that are closer to
    // the flipped bit lean there, the `most` largest, in any order. hold(): flips what leans more than `least`, and of
    // those that lean just as much the first `equals`.
    virtual std::vector<double> leans(Side side, std::int64_t most) = 0;
    virtual void hold(Side side, double least, std::int64_t equals) = 0;

    // Items first, first + 1, ... give way to new ones, at the point a forward pass with weights() leads to.
    // inputs: [item][input], the data or a code to start from; targets: [item][output]. Must not
    // be called between divide() and concur(). Afterwards sums() holds the sums of this engine's own items again: where
    // several engines share an iteration, each of them has to call replace(), if only for no items, and concur() then
    // takes the new total.
    virtual void replace(std::int64_t first, std::int64_t count, const double* inputs, const signed char* targets) = 0;

    // Other margins, [neuron], from the next iteration on. With `project` the point is projected to A again; without,
    // it was restored, and is known to have been projected with these. Then as after replace().
    virtual void set_margins(const double* margins, bool project) = 0;

    // Bits held flipped in the last iteration, [item][output] and [item][input].
    virtual std::vector<char> flipped_outputs() const = 0;
    virtual std::vector<char> flipped_inputs() const = 0;

    // By the caller's numbers: those of the last iteration or, before it, of the start; replace() begins with them.
    virtual std::vector<double> weights() const = 0;
    virtual void set_weights(const double* weights) = 0;
    virtual std::vector<double> input_values() const = 0;  // y_A of the last iteration, [item][input]
    virtual Point point() const = 0;
    virtual void set_point(const double* w, const double* x, const double* y, const double* g) = 0;
    virtual std::vector<Field> fields() = 0;
    virtual void restored() = 0;  // to be called when fields were overwritten

    virtual const Problem& problem() const = 0;
    virtual int threads() const = 0;
    virtual const char* isa() const = 0;
    virtual std::size_t bytes() const = 0;

  protected:
    std::atomic<bool> stop_{false};
};

// threads: 0 to let the size of the problem and the load of the machine decide.
std::unique_ptr<Engine> make_engine(Problem problem, Precision precision, int threads);

}  // namespace boolearn
