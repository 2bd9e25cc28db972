#include "bandwidth.h"

#include <chrono>
#include <thread>
#include <vector>

#include "kernel.h"
#include "layout.h"
#include "memory.h"
#include "threads.h"

namespace boolearn {

double seconds_of_pass(std::size_t bytes, int threads, int passes) {
    const Kernels& kernels = choose_kernels();
    const std::int64_t lanes = kLanes<float>, lines = static_cast<std::int64_t>((bytes + kLineBytes - 1) / kLineBytes);
    Array<float> memory(static_cast<std::size_t>(lines * lanes), 1.0f);
    Barrier barrier(threads);
    double seconds = 0;
    const auto work = [&](int me) {
        const Range mine = part(lines, threads, me);
        float* from = memory.data() + mine.first * lanes;
        kernels.touch(from, mine.size() * lanes);  // into the caches of the core that will use it
        barrier.wait();
        const auto begun = std::chrono::steady_clock::now();
        for (int k = 0; k < passes; ++k) kernels.touch(from, mine.size() * lanes);
        barrier.wait();
        if (me == 0) seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    std::vector<std::thread> helpers;
    for (int me = 1; me < threads; ++me) helpers.emplace_back(work, me);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    return seconds / passes;
}

}  // namespace boolearn
