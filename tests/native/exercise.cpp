// Walks through every part of the engine, for a build with sanitizers and for other processors. Prints one
// line per network and fails on anything that is not finite or not repeatable.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "engine.h"
#include "scored.h"

using namespace boolearn;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

Problem layered(std::vector<int> widths, std::int64_t items, InputMode mode) {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> sender, tie;
    std::vector<double> margins;
    int first = 1;
    for (std::size_t layer = 1; layer < widths.size(); ++layer) {
        for (int k = 0; k < widths[layer]; ++k) {
            sender.push_back(0);
            for (int p = 0; p < widths[layer - 1]; ++p) sender.push_back(first + p);
            start.push_back(static_cast<std::int64_t>(sender.size()));
            margins.push_back(std::sqrt((1 + widths[layer - 1]) / 3.0));
        }
        first += widths[layer - 1];
    }
    for (std::size_t e = 0; e < sender.size(); ++e) tie.push_back(static_cast<std::int32_t>(e));
    const int nodes = first + widths.back();
    Problem p{Network(nodes, widths.front(), widths.back(), start, sender, tie, static_cast<std::int64_t>(tie.size())),
              margins,
              mode,
              items,
              {},
              {}};
    const auto coin = [](std::int64_t k) { return (k * 2654435761u >> 7) % 2 ? 1 : -1; };
    if (mode == kGiven)
        for (std::int64_t k = 0; k < items * widths.front(); ++k) p.inputs.push_back(coin(k));
    for (std::int64_t k = 0; k < items * widths.back(); ++k)
        p.outputs.push_back(static_cast<signed char>(k % 11 == 5 ? 0 : coin(7 * k + 3)));  // some are open
    return p;
}

signed char coin(std::int64_t k) { return (k * 2654435761u >> 7) % 2 ? 1 : -1; }

// Items replaced before the first iteration and every few after it, with bits that may be flipped and margins that
// change; a snapshot
// taken right after one of them, on another number of threads, goes the same way.
void replacements(const std::vector<int>& widths, std::int64_t items, InputMode mode, Precision precision) {
    const auto never = [] { return false; };
    Problem problem = layered(widths, items, mode);
    problem.output_flips = 1 + items * widths.back() / 20;
    problem.support = 2.5;
    problem.input_flips = mode == kGiven ? 1 + items * widths.front() / 20 : 0;
    auto one = make_engine(problem, precision, 1), two = make_engine(problem, precision, 3);
    one->begin(4, 5, 6);
    std::vector<double> margins;
    std::int64_t flipped = 0;
    for (int turn = 0; turn < 12; ++turn) {
        const std::int64_t first = turn * 5 % items,
                           count = turn == 6 ? items - first : std::min<std::int64_t>(turn, items - first);
        std::vector<double> inputs;
        std::vector<signed char> targets;
        for (std::int64_t k = 0; k < count * widths.front(); ++k)
            inputs.push_back(mode == kOneHot ? (k % widths.front() == k / widths.front() % widths.front() ? 1 : -1)
                                             : coin(3 * k + turn));
        for (std::int64_t k = 0; k < count * widths.back(); ++k) targets.push_back(coin(5 * k + turn));
        if (turn % 3 == 1) {
            margins.assign(problem.network.neurons, 1.0 + 0.1 * turn);
            one->set_margins(margins.data(), true);
            if (turn > 8) two->set_margins(margins.data(), true);
        }
        one->replace(first, count, inputs.data(), targets.data());
        if (turn == 8) {
            auto from = one->fields(), to = two->fields();
            for (std::size_t k = 0; k < to.size(); ++k) std::memcpy(to[k].data, from[k].data, to[k].size * to[k].bytes);
            two->restored();
            two->set_margins(margins.data(), false);
        } else if (turn > 8) {
            two->replace(first, count, inputs.data(), targets.data());
        }
        const Progress a = one->iterate(6, 0.3, 0.01, 0, never);
        if (turn >= 8) {
            const Progress b = two->iterate(6, 0.3, 0.01, 0, never);
            if (!std::isfinite(a.gap.all) || std::memcmp(&a.gap, &b.gap, sizeof a.gap))
                fail("a snapshot with replaced items goes another way");
        }
        std::int64_t outputs = 0;
        for (char f : one->flipped_outputs()) outputs += f;
        for (char f : one->flipped_inputs()) flipped += f;
        flipped += outputs;
        if (outputs > problem.output_flips) fail("more flips than allowed");
    }
    if (!flipped) fail("nothing was ever flipped");
}

void exercise(const char* name, std::vector<int> widths, std::int64_t items, InputMode mode, Precision precision) {
    const auto never = [] { return false; };
    auto one = make_engine(layered(widths, items, mode), precision, 1);
    auto two = make_engine(layered(widths, items, mode), precision, 3);
    one->begin(1, 2, 3);
    two->begin(1, 2, 3);
    const Progress a = one->iterate(40, 0.3, 0.01, 0, never);
    two->iterate(15, 0.3, 0.01, 0, never);
    two->divide(0.3);
    two->concur(0.01);
    const Progress b = two->iterate(24, 0.3, 0.01, 0, never);
    if (!std::isfinite(a.gap.all) || !(a.gap.all > 0)) fail("gap");
    if (std::memcmp(&a.gap, &b.gap, sizeof a.gap)) fail("threads change the result");
    const Point p = one->point();
    for (const auto* v : {&p.w, &p.x, &p.y, &p.g})
        for (double value : *v)
            if (!std::isfinite(value)) fail("point");
    const Problem problem = layered(widths, items, mode);
    const std::vector<double> weights(problem.network.outer_weights, 0.5), codes(items * widths.front(), 1.0);
    const ScoredItems bits(problem.network, items, problem.inputs, problem.outputs, {});
    const ScoredItems classes(problem.network, items, {}, problem.outputs, std::vector<std::int64_t>(items, 0));
    if (bits.right(weights.data(), codes) > items * widths.back()) fail("more right bits than there are");
    if (classes.right(weights.data(), codes) != items) fail("of equal sums the first is the class");
    // Degenerate: w = -x, then zero.
    std::vector<double> minus = p.w, zero(p.w.size(), 0.0);
    for (double& v : minus) v = -v;
    one->set_point(p.w.data(), minus.data(), p.y.data(), p.g.data());
    if (!std::isfinite(one->iterate(20, 0.3, 0.01, 0, never).gap.all)) fail("w = -x");
    one->set_point(zero.data(), zero.data(), p.y.data(), p.g.data());
    if (!std::isfinite(one->iterate(20, 0.3, 0.01, 0, never).gap.all)) fail("zero");
    replacements(widths, items, mode, precision);
    static const char* const names[] = {"half", "single", "double"};
    std::printf("%-9s %-10s %s gap %.17g\n", one->isa(), name, names[static_cast<int>(precision)], a.gap.all);
}

}  // namespace

int main() {
    for (Precision precision : {Precision::kHalf, Precision::kSingle, Precision::kDouble}) {
        exercise("given", {4, 6, 5, 3}, 37, kGiven, precision);
        exercise("any code", {4, 6, 5}, 70, kAnyCode, precision);
        exercise("one-hot", {5, 6, 5}, 129, kOneHot, precision);
        exercise("one item", {3, 3, 2}, 1, kGiven, precision);
        exercise("wide", {300, 3, 2}, 20, kGiven, precision);
    }
    auto engine = make_engine(layered({8, 8, 8}, 200, kGiven), Precision::kSingle, 2);
    std::thread stopper([&] { engine->request_stop(); });
    engine->iterate(50, 0.3, 0.01, 0, [] { return false; });
    stopper.join();
    try {
        Network(3, 1, 1, {0, 1}, {2}, {0}, 1);
        fail("a cycle was accepted");
    } catch (const std::invalid_argument&) {
    }
    std::puts("ok");
}
