// Heat-bath sampling in the space of circuits: one neuron at a time draws its gate from all gates it could
// be, given every other neuron, with probability ∝ prior(gate) · exp(−errors / T).
//
// Errors are wrong output bits over the training items. With all other neurons fixed they are
// Ē − ½ Σ_i v_i c_i, where c_i = ±1 is what the neuron holds for item i and v_i the errors item i has more
// when it holds −1 than when it holds +1. v needs one pass through the nodes above the neuron, 64 items a
// word, and does not depend on the neuron's own gate. A majority is (a + b + c − abc) / 2, so the sums
// Σ v a and Σ v abc give the errors of every candidate with every choice of signs. Majorities of five, for
// neurons that may be one, are in five.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "counting.h"
#include "random.h"
#include "wiring.h"

namespace boolearn::gates {

// What does not change while sampling; replicas share it.
struct Task {
    Wiring wiring;
    int items = 0;
    std::size_t words = 0;
    std::vector<Word> inputs;   // [input][word], bit 1 for +1; bits beyond the items are 0
    std::vector<Word> targets;  // [output][word]
    std::vector<Word> mask;     // [word], bit 1 for an item
    int most_enumerated = 28;   // a neuron with more senders draws among the gates of a random part of them
    std::vector<char> five;     // [neuron] may be a majority of five
    int most_five = 10;  // with more columns, only the majorities of five of a random part of these are looked at
    const Counting* counting = nullptr;

    Task(Wiring wiring, int items, const std::uint8_t* inputs, const std::uint8_t* targets);
    bool any_five() const { return std::find(five.begin(), five.end(), 1) != five.end(); }
    // Neurons that want to be majorities of five, where they have five senders.
    void allow_five(const std::vector<char>& wanted);
};

struct Prior {
    // Each kind's share; a gate's weight is its kind's share divided by how many gates of the kind there are.
    double share[kKinds] = {0.02, 0.49, 0.245, 0.245, 0};
    // An And, Or or majority costs as much as so many errors; copies and constants are free.
    double price = 0;
    // [node] A circuit's weight is exp(−idle) less for a node that no gate reads. Outputs are read anyway.
    std::vector<double> idle;
};
// More than this a node left unread cannot cost.
constexpr double kMostIdle = 12;
// Nor can a column gain more than this, in nats, from what it costs and from how rarely it is looked at.
constexpr double kMostFavour = kMostIdle + 8;

// Turns squares of M1 into chances that add up to `wanted`, see columns.cpp.
void spread_chances(std::vector<double>& chance, double wanted);

class Sampler {
  public:
    Sampler(std::shared_ptr<const Task> task, std::uint64_t seed, std::uint64_t stream);

    // One visit of every neuron, in random order. Ends early when `stop` is set or, if so wanted, when no error is
    // left.
    void sweep(double temperature, bool until_right = false);
    void visit(int neuron, double temperature);

    // Divides the share of And/Or and Maj anew between the two, given how many gates of each there are: a Beta
    // distribution of `belief` + counts. Together with the visits this samples circuits and shares at once, any
    // division being as likely as any other before (belief 1). The share of copies is left alone, so that
    // hot circuits cannot drift towards copies and constants altogether. With majorities of five, first what these
    // have of all three, given the neurons that may be one: together a Dirichlet distribution where all may.
    void learn_shares(double belief);
    // A kind's share at a neuron: one that cannot be a majority of five gives what that has to And/Or and Maj.
    double share_of(int neuron, Kind kind) const;
    // Sets prior.idle from how many nodes are unread, see idle.cpp.
    void learn_idle();
    // How many of the nodes that could be read are not, inputs and neurons apart.
    void count_unread(int unread[2], int could[2]) const;

    void set_gates(const std::vector<Gate>& gates);
    const std::vector<Gate>& gates() const { return gates_; }
    std::int64_t errors() const { return errors_; }
    // Σ of the weights of the wrong bits: what takes the place of the errors in exp(−errors / T) when bits
    // have been given weights. Without weights it is the same number.
    std::int64_t weighted() const { return weighted_; }
    // Every bit that is wrong now weighs one more, up to `most`.
    void weigh_wrong_bits(int most);
    // Every weight above 1 becomes one less.
    void ease_weights();
    void clear_weights();
    // The weights one by one, [output][item], from 1 to 255.
    std::vector<std::uint8_t> weights() const;
    void set_weights(const std::uint8_t* weights);
    const Word* value(int node) const { return &value_[static_cast<std::size_t>(node) * task_->words]; }
    int count(Kind kind) const;
    Kind kind(int neuron, const Gate& gate) const;
    const Task& task() const { return *task_; }

    // Errors of every candidate of a neuron, in the order of `candidates`: for tests.
    std::vector<std::pair<Gate, std::int64_t>> candidates(int neuron);

    Prior prior;
    Random random;
    std::atomic<bool> stop{false};

  private:
    // The triples of one input with all pairs of later ones.
    struct Run {
        std::size_t at, pairs;  // where its sums begin, how many there are
        std::int32_t most;
        double unit, sum;  // sum = unit · Σ of the triples' weights
    };
    // The sets of five of so many columns, a < b < c < d < e. They come in runs: one input a with all quads of later
    // ones, last inputs first, so that each run takes a prefix of the quads.
    struct SetsOfFive {
        std::vector<std::array<std::uint8_t, 4>> quads;
        std::size_t size = 0, blocks = 0;  // how many sets there are, and how many eights
        std::vector<std::int32_t> places;  // [block][15][8]: where coefficients are found in Fives::coefficients
    };
    // The majorities of five of one neuron, see five.cpp.
    struct Fives {
        std::vector<std::int32_t> columns;   // the part whose majorities are looked at, as places in Scan::columns
        std::vector<double> chance, favour;  // by place in that part: 1 / its chance to be in it, times Scan::favour
        std::vector<SetsOfFive> sets_of;     // by size of the part, as far as they were needed
        const SetsOfFive* sets = nullptr;    // those of this part
        std::size_t size = 0;                // how many; 0 where no majority of five is looked at
        std::vector<std::int32_t> sums;      // [block][16][8]: by the signs of a, b, c, d, with e's +1
        std::vector<std::int32_t> best;      // [set]: the largest of its sums, and of their negatives
        std::vector<std::int32_t> coefficients, m5;  // 3 M1 and −M3 of the part
        std::vector<double> weights;                 // [set]: Σ over the 32 signs, without the factor `unit`
        std::vector<double> quad_favour;
        double unit = 0, sum = 0;  // sum = unit · Σ weights
        std::vector<Word> packed, table;
    };
    // All that is known about the candidates of one neuron.
    struct Scan {
        int neuron = -1;
        std::vector<std::int32_t> columns;  // positions among the senders; the constant first, if there
        bool constant = false;
        std::vector<double>
            favour;  // by column: 1 / its chance to be looked at, times exp(idle) where no other neuron reads it
        double most_favour = 0;       // the largest logarithm of a product of three
        std::int64_t twice_mean = 0;  // 2 Ē
        std::int32_t weight = 0;      // Σ |v|
        std::int32_t most = 0;        // the largest sum of a candidate
        std::int32_t least = 0;       // sums up to here are too small to count
        bool closed = false;          // the weights of eight signs are taken in closed form
        std::vector<std::int32_t> m1, m3, best;
        std::vector<std::int32_t> first, second;  // the pairs: last inputs first, so that each run takes a prefix
        std::vector<std::int32_t> same, other;    // |m_q ± m_r| of every pair
        std::vector<double> same_weight, other_weight;
        std::vector<Run> runs;
        std::vector<double> copies;
        Fives fives;
        double total = 0;  // Σ prior · exp((sum − most) / 4T)
        std::vector<Word> packed, sign, row, pairs;
        std::vector<std::uint8_t> shift;
    };

    void compute_field(int neuron, Scan& scan);
    void choose_columns(int neuron, Scan& scan, const Gate& keep);
    void favour_needed(Scan& scan);
    std::int64_t lean_on(const Word* values, std::int32_t weight) const;
    void set_chances(const Scan& scan, double wanted);
    void pack_field(Scan& scan);
    void count_all(Scan& scan);
    void weigh(Scan& scan, double temperature);
    double term(const Scan& scan, std::int32_t sum) const;
    double triple_weight(const Scan& scan, std::size_t p, std::size_t pair) const;
    Gate draw(const Scan& scan);
    void choose_five(Scan& scan, const Gate& keep);
    static const SetsOfFive& list_sets(Fives& fives, std::size_t k);
    void count_five(Scan& scan);
    double weigh_five(Scan& scan, double weight, double unit) const;
    Gate draw_five(const Scan& scan, double left);
    static Gate make_five(const Scan& scan, std::size_t set, int signs);
    void list_fives(const Scan& scan, std::vector<std::pair<Gate, std::int64_t>>& all) const;
    static Gate make_majority(const Scan& scan, std::initializer_list<std::int32_t> columns, int signs);
    std::int64_t errors_of(const Scan& scan, std::int32_t sum) const { return (2 * scan.twice_mean - sum) / 4; }
    void scan_neuron(int neuron, Scan& scan, double temperature);
    void apply(int neuron, const Gate& gate);
    void evaluate(int neuron, const Gate& gate, const Word* values, Word* to) const;
    void forward_from(int neuron);
    void recount();
    void set_temperature(double temperature);
    double gate_weight(const Scan& scan, Kind kind, double temperature) const;
    void count_readers();

    std::shared_ptr<const Task> task_;
    std::vector<Gate> gates_;
    std::vector<Kind> kinds_;
    std::vector<int> readers_;    // [node] how many gates read it
    std::vector<char> readable_;  // [node] neither the constant nor an output, and some neuron receives it
    std::vector<Word> value_, other_;
    std::vector<char> differs_;
    std::vector<double> chance_;  // by sender, to be looked at
    std::vector<int> changed_, order_;
    std::vector<Word> magnitude_, positive_, fresh_;
    int planes_ = 0;
    std::int64_t errors_ = 0, weighted_ = 0;
    std::vector<Word> weight_;  // [plane][output][word]: the bits' weights in binary; empty when all are 1
    int weight_planes_ = 0;
    double temperature_ = -1;
    std::vector<double> boltzmann_;  // exp(−j / T)
    std::vector<double> cosh_;       // 2 cosh(j / 4T)
    Scan scan_;
};

}  // namespace boolearn::gates
