// Walks through the kernels of bit programs and of the gate sampler with every instruction set of this machine,
// for a build with sanitizers. Fails when two of them, or two numbers of threads, do not give the same bits.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bit_program.h"
#include "isa.h"
#include "sampler.h"

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "failed: %s\n", what.c_str());
    std::exit(1);
}

struct Coins {
    std::uint64_t state = 1;
    std::uint64_t word() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 32 | state << 32) ^ state >> 29;
    }
    int below(int n) { return static_cast<int>(word() % static_cast<std::uint64_t>(n)); }
};

// Every operation, a few times, on slots drawn at random.
boolearn::evaluate::BitProgram random_program(int inputs, int outputs) {
    using namespace boolearn::evaluate;
    Coins coins;
    const int slots = inputs + outputs + 5;
    const auto slot = [&] { return static_cast<std::int32_t>(coins.below(slots)); };
    std::vector<Instruction> program;
    for (int k = 0; k < 4 * kOps; ++k)
        program.push_back({static_cast<std::int32_t>(k % kOps), slot(), slot(), slot(), slot(), slot()});
    std::vector<std::int32_t> in, out;
    for (int k = 0; k < inputs; ++k) in.push_back(k % 7 == 6 ? -1 : k);  // some inputs are not used
    for (int k = 0; k < outputs; ++k) out.push_back(slot());
    std::vector<std::uint8_t> negated;
    for (int k = 0; k < outputs; ++k) negated.push_back(static_cast<std::uint8_t>(k % 2));
    return BitProgram(program, slots, in, out, negated);
}

std::vector<signed char> run_program(int inputs, int outputs, std::size_t items, int threads) {
    const auto program = random_program(inputs, outputs);
    Coins coins;
    std::vector<signed char> in(items * inputs), out(items * outputs);
    for (auto& v : in) v = coins.below(2) ? 1 : -1;
    if (!program.run_signs(in.data(), true, out.data(), items, threads)) fail("signs were refused");
    const std::size_t words = items / 3 + 1;
    std::vector<std::uint64_t> planes(words * inputs), result(words * outputs);
    for (auto& w : planes) w = coins.word();
    program.run_words(planes.data(), result.data(), words, threads);
    for (std::uint64_t w : result)
        for (int byte = 0; byte < 8; ++byte) out.push_back(static_cast<signed char>(w >> (8 * byte)));
    if (!in.empty()) {
        in[in.size() / 2] = 3;
        std::vector<signed char> nowhere(items * outputs);
        if (program.run_signs(in.data(), true, nowhere.data(), items, threads)) fail("3 was taken for a sign");
    }
    return out;
}

std::vector<std::int64_t> run_sampler(const std::vector<int>& widths, int items, int most_enumerated, int most_five) {
    using namespace boolearn::gates;
    Wiring wiring;
    wiring.n_inputs = widths.front();
    wiring.n_outputs = widths.back();
    wiring.start.push_back(0);
    int first = 1;
    for (std::size_t layer = 1; layer < widths.size(); ++layer) {
        for (int k = 0; k < widths[layer]; ++k) {
            wiring.sender.push_back(0);
            for (int p = 0; p < widths[layer - 1]; ++p) wiring.sender.push_back(first + p);
            wiring.start.push_back(static_cast<std::int64_t>(wiring.sender.size()));
        }
        first += widths[layer - 1];
    }
    Coins coins;
    std::vector<std::uint8_t> inputs(static_cast<std::size_t>(items) * widths.front()),
        targets(static_cast<std::size_t>(items) * widths.back());
    for (auto& v : inputs) v = static_cast<std::uint8_t>(coins.below(2));
    for (auto& v : targets) v = static_cast<std::uint8_t>(coins.below(2));
    auto task = std::make_shared<Task>(wiring, items, inputs.data(), targets.data());
    task->most_enumerated = most_enumerated;
    if (most_five) {
        // Every third neuron stays without majorities of five.
        std::vector<char> five;
        for (int k = 0; k < task->wiring.n_neurons(); ++k) five.push_back(k % 3 != 0);
        task->allow_five(five);
        task->most_five = most_five;
    }
    Sampler sampler(task, 5, 1);
    std::vector<std::int64_t> seen;
    for (double temperature : {2.0, 1.0, 0.5}) {
        sampler.sweep(temperature);
        sampler.circuit.weigh_wrong_bits(4);
        sampler.sweep(temperature);
        sampler.learn_prior(1);
        seen.push_back(sampler.circuit.errors());
        seen.push_back(sampler.circuit.weighted_errors());
    }
    for (int neuron : {0, 1})
        for (const auto& [gate, errors] : sampler.candidates(neuron)) seen.push_back(errors);
    for (const Gate& gate : sampler.circuit.gates())
        for (int k = 0; k < gate.size(); ++k) seen.push_back(gate.inputs[k] * gate.signs[k]);
    return seen;
}

template <class Run> void same_everywhere(const std::string& what, Run run) {
    setenv("BOOLEARN_ISA", "baseline", 1);
    const auto expected = run(1);
    for (boolearn::Isa isa : boolearn::runnable_isas()) {
        setenv("BOOLEARN_ISA", name_of(isa), 1);
        for (int threads : {1, 3})
            if (run(threads) != expected) fail(what + " with " + name_of(isa));
    }
    std::printf("%s: %zu numbers\n", what.c_str(), expected.size());
}

}  // namespace

int main() {
    for (int inputs : {1, 7, 65, 130})
        for (std::size_t items : {std::size_t(0), std::size_t(1), std::size_t(63), std::size_t(64), std::size_t(1000)})
            same_everywhere("program of " + std::to_string(inputs) + " inputs, " + std::to_string(items) + " items",
                            [&](int threads) { return run_program(inputs, 1 + inputs / 2, items, threads); });
    for (int items : {1, 7, 64, 65, 300})
        for (int most : {6, 72})
            for (int most_five : {0, 5, 10})
                same_everywhere("gates, " + std::to_string(items) + " items, " + std::to_string(most) +
                                    " enumerated, " + std::to_string(most_five) + " for majorities of five",
                                [&](int) { return run_sampler({9, 12, 10, 3}, items, most, most_five); });
    setenv("BOOLEARN_ISA", "mmx", 1);
    try {
        boolearn::chosen_isa();
        fail("an instruction set that does not exist was accepted");
    } catch (const std::invalid_argument&) {
    }
    std::puts("ok");
}
