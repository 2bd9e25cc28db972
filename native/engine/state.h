// The variables, as the sweep wants them (kernel.h, Tile).
#pragma once

#include "layout.h"
#include "memory.h"
#include "network.h"

namespace boolearn {

template <class Real, class Kept> struct State {
    State(const Network& net, const Layout& at)
        : sd(2 * at.groups * net.edges() * at.lanes), y(at.groups * net.nodes * at.lanes), y_a(y.size()),
          g(at.groups * net.neurons * at.lanes), gap2(g.size()), alpha(g.size(), Real(1)), delta(g.size(), Real(1)),
          heard(at.groups * (net.nodes - net.outputs) * at.lanes) {}
    Array<Kept> sd;
    Array<Real> y, y_a, g, gap2, alpha, delta, heard;
};

// What a thread needs for itself while it sweeps (kernel.h, Workspace).
template <class Real> struct Scratch {
    Scratch(const Network& net, int lanes)
        : y_bar(kGroupsPerTile * net.nodes * lanes), row(net.largest_fan_in * lanes), audience_g(net.nodes * lanes) {}
    Array<Real> y_bar, row, audience_g;
};

}  // namespace boolearn
