// The variables and the data, as the sweep wants them (kernel.h, Tile).
#pragma once

#include "layout.h"
#include "memory.h"
#include "network.h"

namespace boolearn {

template <class Real, class Kept> struct State {
    State(const Network& net, const Layout& at, InputMode inputs)
        : sd(2 * at.groups * net.edges() * at.lanes), y(at.groups * net.nodes * at.lanes), y_a(y.size()),
          g(at.groups * net.neurons * at.lanes), gap2(g.size()), alpha(g.size(), Real(1)), delta(g.size(), Real(1)),
          heard(at.groups * (net.nodes - net.outputs) * at.lanes),
          given(inputs == kGiven ? at.groups * net.inputs * at.lanes : 0), target(at.groups * net.outputs * at.lanes),
          held(target.size()) {}

    Array<Kept> sd;
    Array<Real> y, y_a, g, gap2, alpha, delta, heard;
    Array<Real> given, target;  // the data: [group][input or output][lane]; free inputs have none
    Array<Real> held;           // what B holds the outputs at: the data except for flipped bits; 0 is open

    std::size_t bytes() const {
        const std::size_t reals =
            2 * y.size() + 4 * g.size() + heard.size() + given.size() + target.size() + held.size();
        return sd.size() * sizeof(Kept) + reals * sizeof(Real);
    }
};

// What a thread needs for itself while it sweeps (kernel.h, Workspace).
template <class Real> struct Scratch {
    Scratch(const Network& net, int lanes)
        : y_bar(kGroupsPerTile * net.nodes * lanes), rows(std::max(net.largest_fan_in, kEdgesTogether) * lanes),
          audience_g(net.nodes * lanes) {}
    Array<Real> y_bar, rows, audience_g;
};

}  // namespace boolearn
