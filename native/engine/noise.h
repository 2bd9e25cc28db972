// Data of which some bits may be held flipped (Elser & Lal, "Functionality", noise accommodation): of the
// variables closer to the flipped bit the largest, as many as are allowed over all items. Where outputs are classes
// it is items that may be held at another class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine.h"
#include "layout.h"
#include "memory.h"
#include "problem.h"
#include "state.h"

namespace boolearn {

// The bits of a group of items, [bit][lane]: how far a variable leans to the flipped side (padding and
// open bits, whose data is zero, do not lean), and what it is held at.
template <class Real> struct OutputBits {
    const Real *y, *y_a, *data;
    Real* held;
    Real lean(std::int64_t k) const { return data[k] * (y[k] - 2 * y_a[k]); }
    void hold(std::int64_t k, bool flipped) const { held[k] = flipped ? -data[k] : data[k]; }
};

template <class Real> struct InputBits {
    const Real *y, *data;
    Real* held;
    Real lean(std::int64_t k) const { return -data[k] * y[k]; }
    void hold(std::int64_t k, bool flipped) const { held[k] = flipped ? -data[k] : data[k]; }
};

// The classes of a group of items: one answer in each lane. It leans to the other class with the largest y as far as
// that y exceeds the y of the item's own class; lanes of padding have none.
template <class Real> struct OutputClasses {
    const Real *y, *y_a, *data;
    Real* held;
    std::int64_t classes, lanes;
    Real reflected(std::int64_t k) const { return 2 * y_a[k] - y[k]; }
    std::int64_t own(std::int64_t lane) const {
        for (std::int64_t c = 0; c < classes; ++c)
            if (data[c * lanes + lane] > 0) return c;
        return -1;
    }
    std::int64_t other(std::int64_t lane, std::int64_t own) const {
        std::int64_t best = own == 0 ? 1 : 0;
        for (std::int64_t c = best + 1; c < classes; ++c)
            if (c != own && reflected(c * lanes + lane) > reflected(best * lanes + lane)) best = c;
        return best;
    }
    Real lean(std::int64_t lane) const {
        const std::int64_t mine = own(lane);
        return mine < 0 ? Real(0) : reflected(other(lane, mine) * lanes + lane) - reflected(mine * lanes + lane);
    }
    void hold(std::int64_t lane, bool relabelled) const {
        const std::int64_t mine = own(lane);
        for (std::int64_t c = 0; c < classes; ++c) held[c * lanes + lane] = data[c * lanes + lane];
        if (mine < 0 || !relabelled) return;
        held[mine * lanes + lane] = -1;
        held[other(lane, mine) * lanes + lane] = 1;
    }
};

// bits_of(group) gives the bits of a group. Leans to the flipped side are written to `leans`, which has room for a
// number per bit and lane; how many there are is returned.
template <class Real, class BitsOf> std::int64_t find_leans(const Layout& at, int bits, Real* leans, BitsOf bits_of) {
    const std::int64_t in_group = std::int64_t(bits) * at.lanes;
    std::int64_t candidates = 0;
    for (std::int64_t group = 0; group < at.groups; ++group) {
        const auto of_group = bits_of(group);
        for (std::int64_t k = 0; k < in_group; ++k) {
            const Real lean = of_group.lean(k);
            leans[candidates] = lean;
            candidates += lean > 0;
        }
    }
    return candidates;
}

// Flips what leans more than the least, and of those that lean just as much the first few.
template <class Real, class BitsOf>
void hold_flipped(const Layout& at, int bits, Real least, std::int64_t equals, BitsOf bits_of) {
    const std::int64_t in_group = std::int64_t(bits) * at.lanes;
    for (std::int64_t group = 0; group < at.groups; ++group) {
        const auto of_group = bits_of(group);
        for (std::int64_t k = 0; k < in_group; ++k) of_group.hold(k, of_group.lean(k) > least);
    }
    // In the order of items, then bits, whatever the lanes.
    for (std::int64_t group = 0; equals > 0 && group < at.groups; ++group) {
        const auto of_group = bits_of(group);
        for (int lane = 0; lane < at.lanes; ++lane)
            for (int bit = 0; bit < bits && equals > 0; ++bit) {
                const std::int64_t k = std::int64_t(bit) * at.lanes + lane;
                if (of_group.lean(k) != least) continue;
                of_group.hold(k, true);
                --equals;
            }
    }
}

// Which bits are held flipped in the iteration that begins.
template <class Real> class Flips {
  public:
    Flips(const Problem& problem, const Layout& at)
        : problem_(problem), at_(at),
          leans_(std::max(problem.output_flips ? at.groups * problem.network.outputs * at.lanes : 0,
                          problem.input_flips ? at.groups * problem.network.inputs * at.lanes : 0)) {}

    // At inputs it is y that A projects, at outputs the reflected y that B projects.
    template <class Kept> void choose(State<Real, Kept>& state) {
        if (problem_.output_flips && problem_.classes)
            choose_some(1, problem_.output_flips, output_classes(state));
        else if (problem_.output_flips)
            choose_some(problem_.network.outputs, problem_.output_flips, output_bits(state));
        if (problem_.input_flips) choose_some(problem_.network.inputs, problem_.input_flips, input_bits(state));
    }

    // What engines that share the items choose from, and hold once all have been asked (engine.h).
    template <class Kept> std::vector<double> leans(State<Real, Kept>& state, Side side, std::int64_t most) const {
        const int bits = side == Side::kOutputs ? problem_.network.outputs : problem_.network.inputs;
        std::vector<Real> found(at_.groups * bits * at_.lanes);
        if (side == Side::kInputs)
            found.resize(find_leans(at_, bits, found.data(), input_bits(state)));
        else if (problem_.classes)
            found.resize(find_leans(at_, 1, found.data(), output_classes(state)));
        else
            found.resize(find_leans(at_, bits, found.data(), output_bits(state)));
        if (static_cast<std::int64_t>(found.size()) > most) {
            std::nth_element(found.begin(), found.begin() + most, found.end(), std::greater<Real>());
            found.resize(most);
        }
        return {found.begin(), found.end()};
    }
    template <class Kept> void hold(State<Real, Kept>& state, Side side, double least, std::int64_t equals) const {
        if (side == Side::kInputs)
            hold_flipped(at_, problem_.network.inputs, Real(least), equals, input_bits(state));
        else if (problem_.classes)
            hold_flipped(at_, 1, Real(least), equals, output_classes(state));
        else
            hold_flipped(at_, problem_.network.outputs, Real(least), equals, output_bits(state));
    }

    std::size_t bytes() const { return leans_.size() * sizeof(Real); }

  private:
    template <class BitsOf> void choose_some(int bits, std::int64_t allowed, BitsOf bits_of) {
        Real* const leans = leans_.data();
        const std::int64_t candidates = find_leans(at_, bits, leans, bits_of);
        Real least = 0;
        std::int64_t equals = 0;
        if (candidates > allowed) {
            std::nth_element(leans, leans + allowed - 1, leans + candidates, std::greater<Real>());
            least = leans[allowed - 1];
            equals = std::count(leans, leans + allowed, least);
        }
        hold_flipped(at_, bits, least, equals, bits_of);
    }

    template <class Kept> auto output_bits(State<Real, Kept>& state) const {
        return [this, &state](std::int64_t group) {
            const Network& net = problem_.network;
            const std::int64_t node = at_.line(group, net.nodes - net.outputs, net.nodes);
            const std::int64_t bit = at_.line(group, 0, net.outputs);
            return OutputBits<Real>{state.y.data() + node, state.y_a.data() + node, state.target.data() + bit,
                                    state.held.data() + bit};
        };
    }
    template <class Kept> auto output_classes(State<Real, Kept>& state) const {
        return [this, bits_of = output_bits(state)](std::int64_t group) {
            const OutputBits<Real> bits = bits_of(group);
            return OutputClasses<Real>{bits.y, bits.y_a, bits.data, bits.held, problem_.network.outputs, at_.lanes};
        };
    }
    template <class Kept> auto input_bits(State<Real, Kept>& state) const {
        return [this, &state](std::int64_t group) {
            const Network& net = problem_.network;
            const std::int64_t node = at_.line(group, 1, net.nodes), bit = at_.line(group, 0, net.inputs);
            return InputBits<Real>{state.y.data() + node, state.given.data() + bit, state.y_a.data() + node};
        };
    }

    const Problem& problem_;
    const Layout& at_;
    Array<Real> leans_;
};

}  // namespace boolearn
