// Walks through every part of the engine, for a build with sanitizers and for other processors. Prints one
// line per network and fails on anything that is not finite or not repeatable.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "engine.h"

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
    Problem p{Network(nodes, widths.front(), widths.back(), start, sender, tie, static_cast<std::int64_t>(tie.size())), margins, mode, items, {}, {}};
    const auto coin = [](std::int64_t k) { return (k * 2654435761u >> 7) % 2 ? 1 : -1; };
    if (mode == kGiven)
        for (std::int64_t k = 0; k < items * widths.front(); ++k) p.inputs.push_back(coin(k));
    for (std::int64_t k = 0; k < items * widths.back(); ++k) p.outputs.push_back(static_cast<signed char>(coin(7 * k + 3)));
    return p;
}

void exercise(const char* name, std::vector<int> widths, std::int64_t items, InputMode mode, bool single) {
    const auto never = [] { return false; };
    auto one = make_engine(layered(widths, items, mode), single, 1);
    auto two = make_engine(layered(widths, items, mode), single, 3);
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
    // Degenerate: w = -x, then zero.
    std::vector<double> minus = p.w, zero(p.w.size(), 0.0);
    for (double& v : minus) v = -v;
    one->set_point(p.w.data(), minus.data(), p.y.data(), p.g.data());
    if (!std::isfinite(one->iterate(20, 0.3, 0.01, 0, never).gap.all)) fail("w = -x");
    one->set_point(zero.data(), zero.data(), p.y.data(), p.g.data());
    if (!std::isfinite(one->iterate(20, 0.3, 0.01, 0, never).gap.all)) fail("zero");
    std::printf("%-9s %-10s %s gap %.17g\n", one->isa(), name, single ? "single" : "double", a.gap.all);
}

}  // namespace

int main() {
    for (bool single : {true, false}) {
        exercise("given", {4, 6, 5, 3}, 37, kGiven, single);
        exercise("any code", {4, 6, 5}, 70, kAnyCode, single);
        exercise("one-hot", {5, 6, 5}, 129, kOneHot, single);
        exercise("one item", {3, 3, 2}, 1, kGiven, single);
        exercise("wide", {300, 3, 2}, 20, kGiven, single);
    }
    auto engine = make_engine(layered({8, 8, 8}, 200, kGiven), true, 2);
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
