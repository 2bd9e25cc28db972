// What the candidates of a scan weigh at a temperature, prior · exp(−errors / T) up to a common factor, and the draw of
// one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "boltzmann.h"
#include "prior.h"
#include "random.h"
#include "scan.h"

namespace boolearn::gates {

class Draw {
  public:
    explicit Draw(const Task& task);

    void weigh(const Scan& scan, const Prior& prior, double temperature);
    // With the scan that was weighed last.
    Gate pick(const Scan& scan, Random& random) const;

  private:
    // A list of candidates whose weights share a factor: sum = unit · Σ of the weights.
    struct Group {
        double unit = 0, sum = 0;
    };

    // exp((sum − most) / 4T) for the sum of a candidate.
    double term(std::int32_t sum) const { return boltzmann_.exp_of(most_ - sum); }
    void weigh_copies(const Scan& scan, double of_constant, double of_copy);
    void weigh_pairs(const Scan& scan);
    Group weigh_run(const Scan& scan, std::size_t run, double weight) const;
    double triple_weight(const Scan& scan, std::size_t run, std::size_t pair) const;
    Gate pick_triple(const Scan& scan, std::size_t run, double left, Random& random) const;
    void weigh_fives(const Scan& scan, double weight);
    Gate pick_five(const Scan& scan, double left, Random& random) const;
    void weigh_xors(const Scan& scan, double weight);
    double xor_weight(const Xors& xors, std::size_t p, std::size_t q) const;
    Gate pick_xor(const Scan& scan, double left, Random& random) const;

    const Task& task_;
    const double most_favour_;  // the largest logarithm of the favours of a gate's inputs
    Boltzmann boltzmann_;
    std::int32_t most_ = 0;             // the largest sum of a candidate
    std::int32_t least_ = 0;            // sums up to here are too small to count
    const double* cosh_ = nullptr;      // the weights of all signs are summed in closed form; else one by one
    double unit_ = 1;                   // with cosh_, what the sums have to be multiplied with
    std::vector<double> copies_;        // [column]
    std::vector<double> same_, other_;  // [pair] with cosh_, the factors of its two terms
    std::vector<Group> runs_;           // of Triples
    std::vector<double> fives_;         // [set]: Σ over the 32 signs
    std::vector<double> quads_;         // [quad] the product of the favours
    Group five_;
    std::vector<Group> xors_;  // one sender with all later ones
    double all_xors_ = 0;
    double total_ = 0;
};

}  // namespace boolearn::gates
