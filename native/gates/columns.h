// Which senders of a neuron are considered during a visit.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "circuit.h"
#include "field.h"
#include "prior.h"
#include "random.h"

namespace boolearn::gates {

// A column cannot gain more than this, in nats, from the cost of being unread and from how rarely it is considered.
constexpr double kMostFavour = kMostIdle + 8;

struct Columns {
    // All senders, or a random part that contains those of the neuron's present gate.
    void choose(const Circuit& circuit, const Field& field, int neuron, Random& random);
    // Counts what the prior gives to gates that read a node which no other neuron reads.
    void favour_unread(const Circuit& circuit, const Prior& prior, int neuron);

    std::size_t size() const { return position.size(); }
    Gate copy(std::size_t column, int sign) const;
    // Bit k of the signs is set where input k has the sign −1.
    Gate majority(std::initializer_list<std::int32_t> columns, int signs) const;

    std::vector<std::int32_t> position;  // among the senders; the constant first, if there
    bool constant = false;               // the first column is the constant
    std::vector<double> favour;          // factor in the weight of each gate that reads the column
    double most_favour = 0;              // the largest logarithm of a product of three

  private:
    std::vector<double> chance_;  // [sender] to be considered
};

// What the prior gives to a gate that reads the sender: more than 1 if no other neuron reads it.
double unread_favour(const Circuit& circuit, const Prior& prior, int neuron, int position);

// Turns squares of M1 into chances that add up to `wanted`: some of it alike for all, the rest in proportion to the
// squares, none above one.
void spread_chances(std::vector<double>& chance, double wanted);

}  // namespace boolearn::gates
