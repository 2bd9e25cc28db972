// How likely a circuit is before any data are seen.
#pragma once

#include <vector>

#include "circuit.h"
#include "random.h"
#include "task.h"

namespace boolearn::gates {

// The most a node left unread can cost.
constexpr double kMostIdle = 12;

struct Prior {
    explicit Prior(const Task& task);

    // Each kind's share; a gate's weight is its kind's share divided by how many gates of the kind there are.
    double share[kKinds] = {0.02, 0.49, 0.245, 0.245, 0, 0};
    // An And, Or, majority or exclusive or costs as much as this many errors; copies and constants are free.
    double price = 0;
    // [node] A circuit's weight is exp(−idle) less for a node that no gate reads. Outputs are read anyway.
    std::vector<double> idle;

    // A kind's share at a neuron: one that cannot be a majority of five gives the share of these to And/Or and Maj.
    double share_of(Kind kind, bool may_be_five) const;
    // The weight of one gate of a kind.
    double gate_weight(Kind kind, const Task& task, int neuron, double temperature) const;

    // Divides the share of And/Or and Maj between the two again, given how many gates of each there are: a Beta
    // distribution of `belief` + counts. Together with the visits this samples circuits and shares at once, with
    // a uniform prior for the division (belief 1). The share of copies is left alone, so that
    // circuits at high temperature cannot drift to copies and constants only. With majorities of five, first what these
    // have of all three, given the neurons that may be one: together a Dirichlet distribution where all may. With
    // exclusive ors, what these have of everything comes before.
    void learn_shares(const Circuit& circuit, Random& random, double belief);
    // Sets idle from how many nodes are unread, see idle.cpp.
    void learn_idle(const Circuit& circuit, Random& random);
};

}  // namespace boolearn::gates
